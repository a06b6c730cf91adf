import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  App,
  Controller,
  defineModule,
  type ErrorRenderer,
  type Failure,
  type HttpContext,
  inject,
  type Module,
  ProblemErrors,
} from 'sallyport'
import {
  HttpException,
  NotFoundException,
  ServiceUnavailableException,
  TooManyRequestsException,
  UnauthorizedException,
} from 'sallyport/http'
import { ValidationException, Violation } from 'sallyport/input'
import { CsrfMiddleware } from 'sallyport/middleware'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'
import { View, ViewEngine } from 'sallyport/view'
import { Faults } from './fixture.ts'

const TAKEN = new Violation({
  field: 'name',
  code: 'taken',
  messageId: 'name.taken',
  fallback: 'Taken',
  domain: 'app',
})

class FaultController extends Controller {
  static readonly actions = {
    index: [],
    fault: [],
    invalid: [],
    gate: [],
    later: [],
    busy: [],
    missing: [],
    conflict: [],
    indexPost: [],
  }

  index() {}
  indexPost() {}
  fault(): never {
    throw new Error('secret detail')
  }
  invalid(): never {
    throw new ValidationException([TAKEN])
  }
  gate(): never {
    throw new UnauthorizedException('Bearer')
  }
  later(): never {
    throw new TooManyRequestsException(60)
  }
  busy(): never {
    throw new ServiceUnavailableException('Later', { retryAfterSeconds: 5 })
  }
  missing(): never {
    throw new NotFoundException('No such tea')
  }
  conflict(): never {
    throw new HttpException(406, 'ERR_SHOP_FORMAT', 'Not in this format')
  }
}

class Signature {
  readonly text = 'shop'
}

/** Errors of an API, in a format of its own. */
class ApiErrors implements ErrorRenderer {
  readonly #signature = inject(Signature)

  render({ status, code, title, violations, locale }: Failure, context: HttpContext): Response {
    const fields = violations.map(({ field, code: reason }) => `${field} ${reason}`)
    const body = { by: this.#signature.text, code, title, fields, locale, path: context.path() }
    return Response.json(body, { status, headers: { 'x-errors': 'api' } })
  }
}

/** Renders errors as a word. */
function word(text: string): ErrorRenderer {
  return { render: ({ status }) => new Response(text, { status }) }
}

const EMPTY: ErrorRenderer = { render: () => null }

function api(extend: (module: Module) => unknown = () => undefined): App {
  const module = defineModule('Api', (given) => {
    given.controllers(FaultController).errors(ApiErrors)
    extend(given)
  })
  const app = App.create({ locales: ['en', 'fr'], debug: false })
    .modules(module)
    .limits({ bodyBytes: 100 })
    .configure((definitions) => definitions.set(SessionStore, new MemorySessionStore()))
  return app
}

/** An application whose module and itself render errors, and what is reported of it. */
function rendering(
  ofModule: ErrorRenderer | null,
  ofApp: ErrorRenderer | null,
): { client: TestClient; faults: Faults } {
  const module = defineModule('Shop', (given) => {
    given.controllers(FaultController)
    if (ofModule !== null) given.errors(ofModule)
  })
  const app = App.create({ debug: false }).modules(module)
  if (ofApp !== null) app.errors(ofApp)
  const faults = new Faults()
  faults.listen(app)
  return { client: new TestClient(app), faults }
}

describe('Module.errors()', () => {
  it('renders every refusal under the URLs of its module, before routing or after it [PAGE-14]', async () => {
    const app = api((module) => module.middleware(CsrfMiddleware))
    const faults = new Faults()
    faults.listen(app)
    const client = new TestClient(app)
    const ask: [string, string, number, string][] = [
      ['GET', '/api/%zz', 400, 'ERR_HTTP_BAD_REQUEST'],
      ['GET', '/api/none', 404, 'ERR_HTTP_NOT_FOUND'],
      ['GET', '/api//none', 404, 'ERR_HTTP_NOT_FOUND'],
      ['GET', '/api/fault/missing', 404, 'ERR_HTTP_NOT_FOUND'],
      ['DELETE', '/api/fault', 405, 'ERR_HTTP_METHOD_NOT_ALLOWED'],
      ['POST', '/api/fault', 403, 'ERR_CSRF_INVALID_TOKEN'],
      ['GET', '/api/fault/gate', 401, 'ERR_AUTH_UNAUTHORIZED'],
      ['GET', '/api/fault/conflict', 406, 'ERR_SHOP_FORMAT'],
      ['GET', '/api/fault/invalid', 422, 'ERR_INPUT_VALIDATION'],
      ['GET', '/api/fault/later', 429, 'ERR_HTTP_TOO_MANY_REQUESTS'],
      ['GET', '/api/fault/busy', 503, 'ERR_HTTP_SERVICE_UNAVAILABLE'],
      ['GET', '/api/fault/fault', 500, 'ERR_INTERNAL'],
    ]

    for (const [method, path, status, code] of ask) {
      const response = await client.request(method, path, { headers: { accept: 'text/html' } })
      assert.equal(response.status, status, path)
      assert.equal(response.headers.get('x-errors'), 'api', path)
      const body = (await response.json()) as Record<string, unknown>
      assert.deepEqual([body['by'], body['code'], body['path']], ['shop', code, path])
    }
    const large = await client.post('/api/none', { body: 'x'.repeat(200) })
    assert.equal(large.status, 413)
    assert.equal(large.headers.get('x-errors'), 'api')
    assert.deepEqual(faults.messages, ['secret detail'])
  })

  it('leaves errors elsewhere to the format that the client accepts [PAGE-14]', async () => {
    const response = await new TestClient(api()).get('/apis/none')

    assert.equal(response.headers.get('x-errors'), null)
    assert.match(response.headers.get('content-type') ?? '', /html/)
  })

  it('keeps the headers of the exception [PAGE-14]', async () => {
    const client = new TestClient(api())
    const header = async (path: string, name: string, method = 'GET'): Promise<string | null> =>
      (await client.request(method, path)).headers.get(name)

    assert.equal(await header('/api/fault/gate', 'www-authenticate'), 'Bearer')
    assert.equal(await header('/api/fault', 'allow', 'DELETE'), 'GET, HEAD, POST')
    assert.equal(await header('/api/fault/later', 'retry-after'), '60')
    assert.equal(await header('/api/fault/busy', 'retry-after'), '5')
  })

  it('receives violations, title and language [PAGE-14]', async () => {
    const client = new TestClient(api())

    const invalid = await client.get('/api/fault/invalid', { headers: { 'accept-language': 'fr' } })
    const format = await client.get('/api/fault/conflict')

    const body = (await invalid.json()) as Record<string, unknown>
    assert.deepEqual([body['fields'], body['locale']], [['name taken'], 'fr'])
    assert.match(invalid.headers.get('vary') ?? '', /Accept-Language/)
    assert.equal(((await format.json()) as Record<string, unknown>)['title'], 'Not acceptable')
  })

  it('sends no body with HEAD, and the security headers with every error [PAGE-14]', async () => {
    const response = await new TestClient(api()).request('HEAD', '/api/none')

    assert.equal(response.status, 404)
    assert.equal(await response.text(), '')
    assert.equal(response.headers.get('x-errors'), 'api')
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  })

  it('is asked from the inside out: claim, mount, the module at /, the application [PAGE-14]', async () => {
    const heard: string[] = []
    const passing = (name: string): ErrorRenderer => ({
      render: () => {
        heard.push(name)
        return null
      },
    })
    const site = defineModule('Site', (module) => module.mount('/').errors(passing('site')))
    const shop = defineModule('Shop', (module) =>
      module
        .errors(passing('shop'))
        .claim('/news/shop', (routes) => routes.get('/', [FaultController, 'index'])),
    )
    const news = defineModule('Press', (module) =>
      module.errors(passing('press')).claim('/news', (routes) => routes.get('/', [FaultController, 'index'])),
    )
    const app = App.create({ debug: false }).modules(site, shop, news).errors(passing('app'))
    const client = new TestClient(app)

    const response = await client.get('/news/shop/none', { headers: { accept: 'application/json' } })
    assert.deepEqual(heard.splice(0), ['shop', 'press', 'site', 'app'])
    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    await client.get('/shop/none')
    assert.deepEqual(heard, ['shop', 'site', 'app'])
  })

  it('is passed over when it fails, which onError() hears once [PAGE-14]', async () => {
    const used = new Response('used')
    await used.text()
    const failing: [ErrorRenderer, RegExp][] = [
      [
        {
          render: () => {
            throw new Error('broken renderer')
          },
        },
        /broken renderer/,
      ],
      [
        {
          render: async () => {
            throw new Error('broken later')
          },
        },
        /broken later/,
      ],
      [{ render: () => undefined as unknown as null }, /Cannot respond to an error with undefined/],
      [{ render: async () => 'text' as unknown as null }, /Cannot respond to an error with "text"/],
      [{ render: () => used }, /has been read/],
      [{ render: () => new View('none') }, /register a ViewEngine/],
      [
        {
          render: () => {
            throw new NotFoundException()
          },
        },
        /./,
      ],
    ]

    for (const [renderer, message] of failing) {
      const { client, faults } = rendering(renderer, word('outer'))
      const response = await client.get('/shop/none')
      assert.deepEqual([response.status, await response.text()], [404, 'outer'])
      assert.equal(faults.messages.length, 1)
      assert.match(faults.messages[0] ?? '', message)
    }
  })

  it('falls back to the built-in format when every renderer fails [PAGE-14]', async () => {
    const broken: ErrorRenderer = {
      render: () => {
        throw new Error('broken')
      },
    }
    const { client, faults } = rendering(broken, broken)

    const response = await client.get('/shop/fault/fault')

    assert.equal(response.status, 500)
    assert.match(await response.text(), /Something went wrong/)
    assert.deepEqual(faults.messages, ['secret detail', 'broken', 'broken'])
  })

  it('gives the status of the failure to a response that forgot it, and keeps any other [PAGE-14]', async () => {
    const forgotten = rendering({ render: () => new Response('oops') }, null)
    const moved = rendering({ render: () => Response.redirect('http://localhost/sign-in', 303) }, null)
    const masked = rendering({ render: () => new Response('none', { status: 404 }) }, null)

    assert.equal((await forgotten.client.get('/shop/fault/fault')).status, 500)
    assert.equal(
      (await moved.client.get('/shop/fault/gate')).headers.get('location'),
      'http://localhost/sign-in',
    )
    assert.equal((await masked.client.get('/shop/fault/gate')).status, 404)
  })

  it('is told nothing of an unexpected error in production, and the exception of an expected one [PAGE-14]', async () => {
    const seen: Failure[] = []
    const collecting: ErrorRenderer = {
      render: (failure) => {
        seen.push(failure)
        return null
      },
    }
    const { client } = rendering(collecting, null)

    await client.get('/shop/fault/fault')
    await client.get('/shop/fault/missing')

    const [fault, missing] = seen
    assert.equal(JSON.stringify({ ...fault }).includes('secret detail'), false)
    assert.equal(fault?.exception, null)
    assert.ok(missing?.exception instanceof NotFoundException)
    assert.equal(missing.message, 'No such tea')
  })

  it('may render a template [PAGE-14]', async () => {
    class Words extends ViewEngine {
      override render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
        return Promise.resolve(`${template}: ${String(data['title'])}`)
      }
    }
    const shop = defineModule('Shop', (module) =>
      module.errors({ render: ({ title, status }) => new View('error', { title }, { status }) }),
    )
    const app = App.create({ debug: false })
      .modules(shop)
      .configure((definitions) => definitions.set(ViewEngine, new Words()))

    const response = await new TestClient(app).get('/shop/none')

    assert.deepEqual([response.status, await response.text()], [404, 'error: Not found'])
  })

  it('renders what a session store that is away makes of a request [PAGE-14]', async () => {
    const store = new MemorySessionStore()
    store.create = () => Promise.reject(new Error('store is away'))
    class SessionController extends Controller {
      static readonly actions = { index: [] }
      async index() {
        await this.context.session().set('a', 1)
      }
    }
    const module = defineModule('Shop', (given) => given.controllers(SessionController).errors(word('shop')))
    const app = App.create({ debug: false })
      .modules(module)
      .configure((definitions) => definitions.set(SessionStore, store))
    const faults = new Faults()
    faults.listen(app)

    const response = await new TestClient(app).get('/shop/session')

    assert.deepEqual([response.status, await response.text()], [503, 'shop'])
    assert.equal(faults.messages.length, 1)
  })

  it('refuses what is no renderer, and one that cannot be built', async () => {
    class Needy implements ErrorRenderer {
      readonly #text: string
      constructor(text: string) {
        this.#text = text
      }
      render(): Response {
        return new Response(this.#text)
      }
    }
    const boot = (given: unknown): Promise<unknown> =>
      App.create()
        .modules(defineModule('Shop', (module) => Reflect.apply(module.errors, module, [given])))
        .boot()

    await assert.rejects(boot(5), TypeError)
    await assert.rejects(boot(class {}), /a method render\(failure, context\)/)
    await assert.rejects(boot(Needy), /Needy/)
    assert.throws(() => Reflect.apply(App.prototype.errors, App.create(), [null]), TypeError)
  })
})

describe('App.errors()', () => {
  it('renders errors of modules without a renderer, and of URLs without a module [PAGE-14]', async () => {
    const { client } = rendering(EMPTY, word('app'))

    assert.equal(await (await client.get('/shop/none')).text(), 'app')
    assert.equal(await (await client.get('/elsewhere')).text(), 'app')
  })
})

describe('ProblemErrors', () => {
  it('answers with problem details, whatever the client accepts [PAGE-14]', async () => {
    const { client } = rendering(new ProblemErrors(), null)

    const response = await client.get('/shop/fault/invalid', { headers: { accept: 'text/html' } })

    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    const { status, code, violations } = (await response.json()) as Record<string, unknown>
    assert.deepEqual([status, code], [422, 'ERR_INPUT_VALIDATION'])
    assert.equal((violations as { field: string }[])[0]?.field, 'name')
    assert.equal(response.headers.get('vary'), null)
  })
})

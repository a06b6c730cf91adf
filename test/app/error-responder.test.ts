import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  ForbiddenException,
  HttpException,
  InvalidMethodOverrideException,
  NotFoundException,
  RedirectException,
  ServiceUnavailableException,
  UnauthorizedException,
} from 'sallyport/http'
import { Translator } from 'sallyport/i18n'
import { ValidationException, Violation } from 'sallyport/input'
import { ViewEngine } from 'sallyport/view'

import { type Answers, browser, Faults } from './fixture.ts'

const JSON_CLIENT = { headers: { accept: 'application/json' } }

function throwing(error: unknown): Answers {
  const fail = (): never => {
    throw error
  }
  return { 'GET /now': fail, 'GET /later': async () => Promise.resolve().then(fail) }
}

describe('an exception with a status', () => {
  for (const [title, error, status, headers] of [
    [
      'UnauthorizedException is a 401 with its challenge [ERR-01 ERR-03 ERR-05]',
      new UnauthorizedException('Bearer'),
      401,
      { 'www-authenticate': 'Bearer' },
    ],
    [
      'a Basic challenge is the one of the response [ERR-05]',
      new UnauthorizedException('Basic realm="ops"'),
      401,
      { 'www-authenticate': 'Basic realm="ops"' },
    ],
    ['ForbiddenException is a 403 [ERR-02 ERR-06]', new ForbiddenException(), 403, {}],
    [
      'RedirectException leads to its target [ERR-07]',
      new RedirectException('/login'),
      302,
      { location: '/login' },
    ],
    [
      'RedirectException has the status it was given [ERR-08]',
      new RedirectException('/new', RedirectException.MOVED_PERMANENTLY_REDIRECT),
      301,
      { location: '/new' },
    ],
    [
      'RedirectException may lead to another site that the application names [ERR-07]',
      new RedirectException('https://idp.test/x', 303),
      303,
      { location: 'https://idp.test/x' },
    ],
    [
      'InvalidMethodOverrideException is a 400 [ERR-09 OVR-07]',
      new InvalidMethodOverrideException(),
      400,
      {},
    ],
    ['NotFoundException is a 404', new NotFoundException(), 404, {}],
    [
      'ServiceUnavailableException is a 503 with Retry-After',
      new ServiceUnavailableException(),
      503,
      { 'retry-after': '1' },
    ],
    [
      'an exception of the application has its own status and headers',
      new HttpException(418, 'ERR_TEAPOT', 'Short and stout', { headers: { 'x-tea': '1' } }),
      418,
      { 'x-tea': '1' },
    ],
  ] as const) {
    it(`${title}, thrown immediately and later`, async () => {
      const faults = new Faults()
      const client = browser(throwing(error), { configure: faults.listen })

      for (const path of ['/now', '/later']) {
        const response = await client.get(path)
        assert.equal(response.status, status)
        for (const [name, value] of Object.entries(headers)) assert.equal(response.headers.get(name), value)
      }
      assert.deepEqual(faults.seen, [])
    })
  }

  it('gets the same response from every band [ERR-07]', async () => {
    const redirect = {
      process: (): never => {
        throw new RedirectException('/login')
      },
    }
    for (const band of ['incoming', 'routed', 'outgoing'] as const) {
      const client = browser(
        { 'GET /': () => 'hi' },
        { configure: (app) => app.middleware()[band](redirect) },
      )

      const response = await client.get('/')
      assert.deepEqual([response.status, response.headers.get('location')], [302, '/login'])
    }
  })
})

describe('the body of an error', () => {
  it('is a page for browsers and for clients without a preference [OPEN-07]', async () => {
    const client = browser(throwing(new ForbiddenException('Ask <an> administrator')))

    for (const accept of [undefined, '*/*', 'text/html,*/*;q=0.8']) {
      const response = await client.get('/now', accept === undefined ? {} : { headers: { accept } })
      const page = await response.text()
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8')
      assert.match(page, /<h1>Forbidden<\/h1>/)
      assert.match(page, /Ask &lt;an&gt; administrator/)
      assert.match(response.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    }
  })

  it('is problem+json for JSON clients [OPEN-07]', async () => {
    const response = await browser(throwing(new ForbiddenException())).get('/now', JSON_CLIENT)

    assert.equal(response.headers.get('content-type'), 'application/problem+json')
    assert.deepEqual(await response.json(), {
      type: 'about:blank',
      title: 'Forbidden',
      status: 403,
      detail: 'This is not allowed',
      code: 'ERR_AUTH_FORBIDDEN',
    })
  })

  it('names the violations, for browsers and for JSON clients [LOGIN-12]', async () => {
    const violation = new Violation({
      field: 'name',
      code: 'short',
      messageId: 'short',
      fallback: 'is <too> short',
      domain: 'x',
    })
    const client = browser(throwing(new ValidationException([violation])))

    const [page, problem] = [await client.get('/now'), await client.get('/now', JSON_CLIENT)]

    assert.equal(page.status, 422)
    assert.match(await page.text(), /<li>name: is &lt;too&gt; short<\/li>/)
    assert.deepEqual(((await problem.json()) as { violations: unknown }).violations, [{ ...violation }])
  })

  it('uses the catalogue in the language of the request for a violation [HOLD-41]', async () => {
    const violations = [
      new Violation({
        field: 'tea',
        code: 'gone',
        messageId: 'tea.gone',
        fallback: 'Sold out',
        domain: 'shop',
      }),
      new Violation({ field: null, code: 'odd', messageId: 'odd', fallback: 'Odd {', domain: 'shop' }),
    ]
    const translator = new Translator({
      fr: { shop: { 'tea.gone': 'L’article <thé> est épuisé' } },
      en: { shop: { 'tea.gone': 'The tea is gone' } },
    })
    class Engine extends ViewEngine {
      override render(_template: string, { error }: Readonly<Record<string, unknown>>): Promise<string> {
        const { violations: found } = error as { violations: readonly Violation[] }
        return Promise.resolve(found.map(({ field, fallback }) => `${field}=${fallback}`).join('|'))
      }
    }
    const answer = async (accept: string, language: string, template = false): Promise<Response> =>
      browser(throwing(new ValidationException(violations)), {
        locales: ['en', 'fr'],
        configure: (app) => {
          app.configure((definitions) => {
            definitions.set(Translator, translator)
            if (template) definitions.set(ViewEngine, new Engine())
          })
          if (template) app.errorView('error')
        },
      }).get('/now', { headers: { accept, 'accept-language': language } })

    const page = await answer('text/html', 'fr')
    assert.match(await page.text(), /<li>tea: L’article &lt;thé&gt; est épuisé<\/li><li>Odd {<\/li>/)
    assert.match(page.headers.get('vary') ?? '', /Accept-Language/)
    for (const [language, text] of [
      ['fr', 'L’article <thé> est épuisé'],
      ['en', 'The tea is gone'],
    ] as const) {
      const problem = (await (await answer('application/json', language)).json()) as { violations: unknown }
      assert.deepEqual(problem.violations, [{ ...violations[0], fallback: text }, { ...violations[1] }])
    }
    assert.equal(
      await (await answer('text/html', 'fr', true)).text(),
      'tea=L’article <thé> est épuisé|null=Odd {',
    )
  })

  it('uses the fallback of a violation whose message in the catalogue is broken, and reports it [HOLD-41]', async () => {
    const faults = new Faults()
    const fields = { field: null, code: 'x', messageId: 'x', fallback: 'Sold out', domain: 'shop' }
    const client = browser(throwing(new ValidationException([new Violation(fields)])), {
      configure: (app) => {
        faults.listen(app)
        app.configure((definitions) =>
          definitions.set(Translator, new Translator({ en: { shop: { x: 'Needs {value}' } } })),
        )
      },
    })

    const response = await client.get('/now')

    assert.deepEqual([response.status, faults.seen.length], [422, 1])
    assert.match(await response.text(), /Sold out/)
  })

  for (const [what, error] of [
    ['an error', Object.assign(new Error('password=hunter2 at /srv/app'), { query: 'SELECT secret' })],
    ['a string', 'hunter2'],
    ['null', null],
    ['undefined', undefined],
    ['an object', { secret: 'hunter2' }],
    ['an error with a cause', new Error('outer', { cause: new Error('hunter2') })],
  ] as const) {
    it(`reveals nothing of ${what} that is unexpected, but reports it with the request [OPEN-29]`, async () => {
      const faults = new Faults()
      const client = browser(throwing(error), { configure: faults.listen })

      for (const path of ['/now', '/later']) {
        for (const headers of [{ accept: 'text/html' }, { accept: 'application/json' }]) {
          const response = await client.get(path, { headers })
          const body = await response.text()
          assert.equal(response.status, 500)
          assert.doesNotMatch(body, /hunter2|SELECT|outer|\.ts:|at .*\(/)
          assert.match(
            body,
            headers.accept === 'text/html' ? /Request [A-Za-z0-9_-]{16}/ : /"requestId":"[A-Za-z0-9_-]{16}"/,
          )
        }
      }
      assert.deepEqual(faults.seen, [error, error, error, error])
    })
  }

  it('shows the stack of an unexpected error in development only', async () => {
    const client = browser(throwing(new Error('boom <b>')), { debug: true, configure: new Faults().listen })

    assert.match(await (await client.get('/now')).text(), /boom &lt;b&gt;[\s\S]*error-responder\.test\.ts/)
    assert.match(
      ((await (await client.get('/now', JSON_CLIENT)).json()) as { trace: string }).trace,
      /boom <b>/,
    )
  })

  it('shows no cause of a refusal outside of development', async () => {
    const error = new ServiceUnavailableException(undefined, { cause: new Error('redis://user:hunter2@db') })
    const client = browser(throwing(error), { configure: new Faults().listen })

    assert.doesNotMatch(await (await client.get('/now')).text(), /hunter2/)
    assert.doesNotMatch(await (await client.get('/now', JSON_CLIENT)).text(), /hunter2/)
  })

  it('reports a 5xx with a cause, and no other refusal [R-20]', async () => {
    const faults = new Faults()
    const cause = new Error('connection refused')
    const down = new ServiceUnavailableException(undefined, { cause })
    const client = browser(
      {
        'GET /down': () => {
          throw down
        },
        'GET /busy': () => {
          throw new ServiceUnavailableException()
        },
        'GET /no': () => {
          throw new ForbiddenException('no', { cause })
        },
      },
      { configure: faults.listen },
    )

    for (const path of ['/down', '/busy', '/no', '/nowhere']) await client.get(path)

    assert.deepEqual(faults.seen, [down])
  })
})

describe('an error while an error is answered', () => {
  it('responds with 500 to an exception whose headers cannot be sent', async () => {
    const faults = new Faults()
    class Bad extends HttpException {
      override readonly headers = { 'x-reason': 'a\r\nset-cookie: b=c' }
    }
    const bad = new Bad(403, 'ERR_X', 'no')
    const client = browser(throwing(bad), { configure: faults.listen })

    for (const path of ['/now', '/later']) {
      const response = await client.get(path)
      assert.equal(response.status, 500)
      assert.deepEqual(response.headers.getSetCookie(), [])
    }
    assert.equal(faults.seen.length, 2)
  })

  it('continues when a hook throws or rejects', async () => {
    const heard: string[] = []
    const client = browser(throwing(new Error('boom')), {
      configure: (app) =>
        app
          .onError(() => {
            heard.push('first')
            throw new Error('hook (expected in this test)')
          })
          .onError(async () => {
            heard.push('second')
            await Promise.reject(new Error('hook (expected in this test)'))
          })
          .onError(() => void heard.push('third')),
    })

    assert.equal((await client.get('/now')).status, 500)
    await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(heard, ['first', 'second', 'third'])
  })

  it('sends the built-in page when the application’s own fails, and reports both', async () => {
    const faults = new Faults()
    class Broken extends ViewEngine {
      override render(): Promise<string> {
        throw new Error('no such template')
      }
    }
    const client = browser(throwing(new NotFoundException()), {
      configure: (app) => {
        faults.listen(app)
        app.errorView('errors/page').configure((definitions) => definitions.set(ViewEngine, new Broken()))
      },
    })

    const response = await client.get('/now')

    assert.equal(response.status, 404)
    assert.match(await response.text(), /<h1>Not found<\/h1>/)
    assert.deepEqual(faults.messages, ['no such template'])
  })

  it('renders the application’s own page with its data', async () => {
    class Engine extends ViewEngine {
      override render(template: string, data: Readonly<Record<string, unknown>>): Promise<string> {
        const { status, title, message } = data['error'] as Record<string, unknown>
        return Promise.resolve([template, status, title, message].join('|'))
      }
    }
    const client = browser(throwing(new NotFoundException()), {
      configure: (app) =>
        app.errorView('errors/page').configure((definitions) => definitions.set(ViewEngine, new Engine())),
    })

    const response = await client.get('/now')

    assert.equal(response.status, 404)
    assert.equal(await response.text(), 'errors/page|404|Not found|There is nothing at this address')
  })
})

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'

import {
  App,
  Controller,
  defineModule,
  type ErrorRenderer,
  type Failure,
  type HttpContext,
  type Module,
} from 'sallyport'
import { type Middleware, type Next, TooManyRequestsException } from 'sallyport/http'
import { BasicAccessMiddleware, Cors } from 'sallyport/middleware'
import { TestClient } from 'sallyport/testing'

import { request, values } from '../node/raw.ts'
import { serve } from 'sallyport/node'
import { Faults } from '../app/fixture.ts'

type Options = ConstructorParameters<typeof Cors>[0]

const SHOP = 'https://shop.example'
const EVIL = 'https://evil.example'

class TeaController extends Controller {
  static readonly actions = { index: [], indexPut: [], fail: [], own: [], gone: [] }
  index() {
    return { teas: ['green'] }
  }
  indexPut() {
    return { saved: true }
  }
  fail(): never {
    throw new Error('no water')
  }
  own() {
    const headers = {
      'access-control-allow-origin': '*',
      'access-control-allow-credentials': 'true',
      vary: 'Accept',
    }
    return new Response('own', { headers })
  }
  gone() {
    return new Response(null, { status: 304, headers: { etag: '"1"' } })
  }
}

function api(options: Options, extend?: (module: Module) => unknown): App {
  const shop = defineModule('Api', (module) => {
    module.controllers(TeaController).middleware(Cors.of(options))
    extend?.(module)
  })
  const site = defineModule('Site', (module) => module.mount('/').controllers(TeaController))
  const app = App.default({ debug: false }).modules(shop, site)
  // The failure of the action is not what these tests are about.
  return app.onError(() => undefined)
}

const from = (origin: string, more: Readonly<Record<string, string>> = {}) => ({
  headers: { origin, ...more },
})
const preflight = (origin: string, method: string, headers?: string) =>
  from(origin, {
    'access-control-request-method': method,
    ...(headers === undefined ? {} : { 'access-control-request-headers': headers }),
  })

/** The CORS check of the Fetch standard (4.10): whether a page of the origin may read the response. */
function isShared(response: Response, origin: string, mode: 'omit' | 'include'): boolean {
  const allowed = response.headers.get('access-control-allow-origin')
  if (allowed === null) return false
  if (mode === 'omit' && allowed === '*') return true
  if (allowed !== origin) return false
  return mode === 'omit' || response.headers.get('access-control-allow-credentials') === 'true'
}

/** What a browser makes of a preflight (Fetch, 4.8): whether the request may be sent. */
function isAllowed(
  response: Response,
  {
    origin,
    mode,
    method,
    headers = [],
  }: { origin: string; mode: 'omit' | 'include'; method: string; headers?: string[] },
): boolean {
  if (!isShared(response, origin, mode) || !response.ok) return false
  const listed = (name: string): string[] =>
    (response.headers.get(name) ?? '').split(',').map((part) => part.trim())
  const methods = listed('access-control-allow-methods')
  const names = listed('access-control-allow-headers').map((name) => name.toLowerCase())
  const isAny = (list: string[]): boolean => mode === 'omit' && list.includes('*')
  if (!methods.includes(method) && !['GET', 'HEAD', 'POST'].includes(method) && !isAny(methods)) return false
  return headers.every((name) => names.includes(name) || (name !== 'authorization' && isAny(names)))
}

describe('Cors', () => {
  it('shares responses with exactly the origins that are named, as the Fetch standard checks it [PAGE-10 MEND-10]', async () => {
    const rows: readonly (readonly [Options, string, 'omit' | 'include', boolean])[] = [
      [{ origins: '*' }, SHOP, 'omit', true],
      [{ origins: '*' }, 'null', 'omit', true],
      [{ origins: '*' }, SHOP, 'include', false],
      [{ origins: [SHOP] }, SHOP, 'omit', true],
      [{ origins: [SHOP] }, SHOP, 'include', false],
      [{ origins: [SHOP], credentials: true }, SHOP, 'include', true],
      [{ origins: ['HTTPS://Shop.Example:443'], credentials: true }, SHOP, 'include', true],
      [{ origins: [SHOP], credentials: true }, 'https://SHOP.example:443', 'include', true],
      [{ origins: [SHOP], credentials: true }, SHOP, 'omit', true],
      [{ origins: ['https://other.example', SHOP] }, SHOP, 'omit', true],
      ...[
        EVIL,
        'null',
        'http://shop.example',
        'https://shop.example:8443',
        'https://shop.example/',
        'https://a.shop.example',
        'https://shop.example.evil.example',
        'https://shop.examples',
        `${SHOP}, ${EVIL}`,
        '*',
      ].map((origin) => [{ origins: [SHOP], credentials: true }, origin, 'include', false] as const),
    ]
    for (const [options, origin, mode, shared] of rows) {
      const response = await new TestClient(api(options)).get('/api/tea', from(origin))

      assert.equal(response.status, 200)
      assert.equal(isShared(response, origin, mode), shared, `${JSON.stringify(options)} ${origin} ${mode}`)
      const allowed = response.headers.get('access-control-allow-origin')
      if (allowed === '*') assert.equal(response.headers.get('access-control-allow-credentials'), null)
    }
  })

  it('says in Vary that responses depend on the origin, also without one and for others [PAGE-10]', async () => {
    const client = new TestClient(api({ origins: [SHOP] }))
    for (const headers of [{}, { origin: SHOP }, { origin: EVIL }])
      for (const path of ['/api/tea', '/api/nothing', '/api/tea/fail', '/api/tea/gone', '/api/tea/own'])
        assert.match(
          (await client.get(path, { headers })).headers.get('vary') ?? '',
          /(?:^|, )Origin(?:,|$)/,
          path,
        )

    const open = await new TestClient(api({ origins: '*' })).get('/api/tea')
    assert.equal(open.headers.get('vary'), null)
    assert.equal(open.headers.get('access-control-allow-origin'), '*')
  })

  it('answers a preflight before routing decides about the method, and before gates [PAGE-10]', async () => {
    const app = api({
      origins: [SHOP],
      credentials: true,
      headers: ['content-type', 'x-tea'],
      maxAgeSeconds: 60,
    })
    app
      .middleware()
      .incoming(new BasicAccessMiddleware({ username: 'a', password: 'long enough', realm: 'A' }))
    const client = new TestClient(app)

    for (const path of ['/api/tea', '/api/nothing', '/API/tea', '/%61pi/tea', '/api/%zz']) {
      const response = await client.request('OPTIONS', path, preflight(SHOP, 'PUT', 'content-type,x-tea'))

      assert.equal(response.status, 204, path)
      assert.ok(
        isAllowed(response, {
          origin: SHOP,
          mode: 'include',
          method: 'PUT',
          headers: ['content-type', 'x-tea'],
        }),
      )
      assert.equal(response.headers.get('access-control-max-age'), '60')
      assert.equal(response.headers.get('vary'), 'Origin')
      assert.equal(response.headers.get('access-control-allow-private-network'), null)
    }
  })

  it('tells a browser just what is allowed [PAGE-10]', async () => {
    const rows: readonly [Options, Parameters<typeof isAllowed>[1], boolean][] = [
      [{ origins: [SHOP] }, { origin: SHOP, mode: 'omit', method: 'PUT' }, true],
      [{ origins: [SHOP] }, { origin: SHOP, mode: 'omit', method: 'QUERY' }, false],
      [{ origins: [SHOP] }, { origin: SHOP, mode: 'omit', method: 'patch' }, false],
      [{ origins: [SHOP] }, { origin: SHOP, mode: 'include', method: 'PUT' }, false],
      [{ origins: [SHOP] }, { origin: EVIL, mode: 'omit', method: 'PUT' }, false],
      [{ origins: [SHOP], methods: ['GET'] }, { origin: SHOP, mode: 'omit', method: 'PUT' }, false],
      [
        { origins: [SHOP], methods: [] },
        { origin: SHOP, mode: 'omit', method: 'GET', headers: ['content-type'] },
        true,
      ],
      [{ origins: [SHOP] }, { origin: SHOP, mode: 'omit', method: 'GET', headers: ['authorization'] }, false],
      [
        { origins: [SHOP], headers: ['Authorization'] },
        { origin: SHOP, mode: 'omit', method: 'GET', headers: ['authorization'] },
        true,
      ],
      [
        { origins: '*', headers: ['*'], methods: ['*'] },
        { origin: EVIL, mode: 'omit', method: 'PUT', headers: ['x-tea'] },
        true,
      ],
      [
        { origins: '*', headers: ['*'] },
        { origin: EVIL, mode: 'omit', method: 'PUT', headers: ['authorization'] },
        false,
      ],
    ]
    for (const [options, asked, allowed] of rows) {
      const { origin, method, headers } = asked
      const response = await new TestClient(api(options)).request(
        'OPTIONS',
        '/api/tea',
        preflight(origin, method, headers?.join(',')),
      )

      assert.equal(response.status, 204)
      assert.equal(isAllowed(response, asked), allowed, JSON.stringify([options, asked]))
    }
  })

  it('leaves any other OPTIONS to routing, and other modules as they are [PAGE-10]', async () => {
    const client = new TestClient(api({ origins: [SHOP] }))

    for (const options of [from(SHOP), { headers: { 'access-control-request-method': 'PUT' } }])
      assert.equal((await client.request('OPTIONS', '/api/tea', options)).status, 405)
    const other = await client.request('OPTIONS', '/tea', preflight(SHOP, 'GET'))
    assert.equal(other.status, 405)
    const page = await client.get('/tea', from(SHOP))
    assert.deepEqual(
      [page.headers.get('access-control-allow-origin'), page.headers.get('vary')],
      [null, null],
    )
  })

  it('lets pages read refusals and errors, also of requests that never reach the module [PAGE-10]', async () => {
    class Limit implements Middleware {
      process(context: HttpContext, next: Next): Promise<Response> {
        if (context.header('x-limited') !== null) throw new TooManyRequestsException(60)
        return next()
      }
    }
    const app = api({ origins: [SHOP], credentials: true }).limits({ bodyBytes: 1000 })
    app.middleware().incoming(Limit)
    const client = new TestClient(app)
    const large = { ...from(SHOP), body: 'x'.repeat(2000) }

    const rows: readonly [Promise<Response>, number][] = [
      [client.get('/api/nothing', from(SHOP)), 404],
      [client.get('/api/%zz', from(SHOP)), 400],
      [client.get(`/api/${'x'.repeat(140_000)}`, from(SHOP)), 400],
      [client.request('DELETE', '/api/tea', from(SHOP)), 405],
      [client.post('/api/tea', large), 413],
      [client.get('/api/tea/fail', from(SHOP)), 500],
      [client.get('/api/tea', from(SHOP, { 'x-limited': '1' })), 429],
      [client.get('/api/tea/', { ...from(SHOP), redirect: 'manual' } as never), 308],
      [client.get('/api/tea/gone', from(SHOP)), 304],
    ]
    for (const [pending, status] of rows) {
      const response = await pending
      assert.equal(response.status, status)
      assert.ok(isShared(response, SHOP, 'include'), String(status))
      assert.match(response.headers.get('vary') ?? '', /Origin/)
    }
  })

  it('PAGE-10 PAGE-14: lets pages read errors in the form that the module gives them', async () => {
    class Plain implements ErrorRenderer {
      render(failure: Failure): Response {
        return new Response(failure.code, { status: failure.status })
      }
    }
    const app = api({ origins: [SHOP] }, (module) => module.errors(Plain)).limits({ bodyBytes: 1000 })
    const client = new TestClient(app)

    for (const [response, text] of [
      [await client.get('/api/nothing', from(SHOP)), 'ERR_HTTP_NOT_FOUND'],
      [await client.get('/api/tea/fail', from(SHOP)), 'ERR_INTERNAL'],
      [
        await client.post('/api/tea', { ...from(SHOP), body: 'x'.repeat(2000) }),
        'ERR_HTTP_PAYLOAD_TOO_LARGE',
      ],
    ] as const) {
      assert.equal(await response.text(), text)
      assert.ok(isShared(response, SHOP, 'omit'), text)
    }
  })

  it('replaces what an action or an outgoing middleware says itself [PAGE-10]', async () => {
    const app = api({ origins: [SHOP], credentials: true, exposedHeaders: ['x-total'] })
    app.middleware().outgoing({ process: async (response) => new Response(await response.text(), response) })

    const response = await new TestClient(app).get('/api/tea/own', from(SHOP))

    assert.equal(response.headers.get('access-control-allow-origin'), SHOP)
    assert.equal(response.headers.get('access-control-allow-credentials'), 'true')
    assert.equal(response.headers.get('access-control-expose-headers'), 'x-total')
    assert.equal(response.headers.get('vary'), 'Accept, Origin')

    const open = await new TestClient(api({ origins: '*' })).get('/api/tea/own', from(SHOP))
    assert.equal(open.headers.get('access-control-allow-origin'), '*')
    assert.equal(open.headers.get('access-control-allow-credentials'), null)
  })

  it('asks a function about an origin, once a request, and never about the opaque or a malformed one [PAGE-10]', async () => {
    const asked: string[] = []
    const origins = (origin: string): boolean => {
      asked.push(origin)
      return origin.endsWith('.shop.example')
    }
    const client = new TestClient(api({ origins, credentials: true }))

    const shared: boolean[] = []
    for (const origin of [
      'https://a.shop.example',
      EVIL,
      'null',
      `${EVIL}/.shop.example`,
      'https://evil.example:@a.shop.example',
    ])
      shared.push(isShared(await client.get('/api/tea', from(origin)), origin, 'include'))

    assert.deepEqual(shared, [true, false, false, false, false])
    assert.deepEqual(asked, ['https://a.shop.example', EVIL])
    assert.equal((await client.get('/api/tea')).headers.get('vary'), 'Origin')
  })

  it('shares nothing when the function fails, and reports it once [PAGE-10]', async () => {
    for (const origins of [
      () => {
        throw new Error('no list')
      },
      (async () => true) as never,
    ]) {
      const faults = new Faults()
      const app = api({ origins })
      faults.listen(app)
      for (const method of ['GET', 'OPTIONS']) {
        const response = await new TestClient(app).request(method, '/api/tea', preflight(SHOP, 'GET'))
        assert.equal(response.status, 500)
        assert.equal(response.headers.get('access-control-allow-origin'), null)
      }
      assert.equal(faults.seen.length, 2)
    }
  })

  it('refuses what is unsafe or has no effect, at construction [PAGE-10]', () => {
    const wrong: unknown[] = [
      {},
      { origins: [] },
      { origins: 'https://shop.example' },
      { origins: ['https://shop.example/'] },
      { origins: ['shop.example'] },
      { origins: ['https://*.shop.example'] },
      { origins: ['null'] },
      { origins: ['*'] },
      { origins: '*', credentials: true },
      { origins: [SHOP], credentials: true, headers: ['*'] },
      { origins: [SHOP], credentials: true, methods: ['*'] },
      { origins: [SHOP], credentials: true, exposedHeaders: ['*'] },
      { origins: [SHOP], credentials: 'yes' },
      { origins: [SHOP], methods: 'GET' },
      { origins: [SHOP], headers: ['a b'] },
      { origins: [SHOP], maxAge: 1 },
    ]
    for (const options of wrong)
      assert.throws(() => new Cors(options as Options), TypeError, JSON.stringify(options))
    for (const maxAgeSeconds of [-1, 0.5, NaN])
      assert.throws(() => new Cors({ origins: [SHOP], maxAgeSeconds }), RangeError)
    assert.throws(() => new Cors({ origins: '*', credentials: true }), /any page could act/)
    assert.throws(() => new Cors({ origins: ['https://shop.example/'] }), /write "https:\/\/shop\.example"/)
  })

  it('is refused at boot where preflights cannot reach it, and twice in a module [PAGE-10]', async () => {
    const type = Cors.of({ origins: [SHOP] })
    const inBand = api({ origins: [SHOP] })
    inBand.middleware().incoming(type)
    await assert.rejects(inBand.boot(), /attach it to a module/)
    const routed = api({ origins: [SHOP] })
    routed.middleware().routed(new Cors({ origins: [SHOP] }))
    await assert.rejects(routed.boot(), /attach it to a module/)

    const onRoute = defineModule('Tea', (module) =>
      module.routes((routes) => void routes.get('/', [TeaController, 'index']).middleware(type)),
    )
    const app = await App.default({ debug: false }).modules(onRoute).boot()
    assert.throws(() => app.router().match('GET', '/tea'), /attach it to a module/)

    const twice = api({ origins: [SHOP] }, (module) => module.middleware(Cors.of({ origins: '*' })))
    await assert.rejects(twice.boot(), { code: 'invalid-middleware' })
  })

  it('belongs to the module of the URL, by claims, mounts and locales [PAGE-10]', async () => {
    const feed = defineModule('Feed', (module) =>
      module
        .mount({ fr: 'fil', en: 'feed' })
        .localized()
        .middleware(Cors.of({ origins: '*' }))
        .controllers(TeaController)
        .claim('/open', (routes) => void routes.get('/', [TeaController, 'index'])),
    )
    const site = defineModule('Site', (module) => module.mount('/').controllers(TeaController))
    const client = new TestClient(App.default({ locales: ['fr', 'en'] }).modules(feed, site))

    for (const path of ['/fr/fil/tea', '/en/feed/tea', '/en/feed/nothing', '/open', '/open/nothing'])
      assert.equal((await client.get(path)).headers.get('access-control-allow-origin'), '*', path)
    for (const path of ['/tea', '/nothing', '/'])
      assert.equal((await client.get(path)).headers.get('access-control-allow-origin'), null, path)
  })

  it('shares with exactly those whom its options name, whatever the options and the request [PAGE-10]', async () => {
    const origin: fc.Arbitrary<string> = fc.constantFrom(
      SHOP,
      EVIL,
      'http://shop.example',
      'https://shop.example:8443',
      'app://shop',
      'null',
      'x',
    )
    const named = fc.uniqueArray(
      origin.filter((each) => each.includes('://')),
      { minLength: 1 },
    )
    const options = fc.oneof(
      fc.record({ origins: named, credentials: fc.boolean() }),
      fc.record({
        origins: named.map((list) => (each: string) => list.includes(each)),
        credentials: fc.boolean(),
      }),
      fc.constant({ origins: '*' as const, credentials: false }),
    )
    const path = fc.constantFrom('/api/tea', '/api/tea/own', '/api/tea/fail', '/api/nothing')
    const method = fc.constantFrom('GET', 'PUT', 'DELETE', 'OPTIONS')
    await fc.assert(
      fc.asyncProperty(
        options,
        origin,
        path,
        method,
        async ({ origins, credentials }, sent, target, asked) => {
          const client = new TestClient(api({ origins, credentials }))
          const isNamed =
            origins === '*' ||
            [origins].flat().some((each) => (typeof each === 'function' ? each(sent) : each === sent))

          const response = await client.request(asked, target, preflight(sent, 'PUT'))

          assert.equal(isShared(response, sent, 'omit'), isNamed)
          assert.equal(isShared(response, sent, 'include'), isNamed && credentials)
          assert.equal(/Origin/.test(response.headers.get('vary') ?? ''), origins !== '*')
          if (asked === 'OPTIONS')
            assert.equal(isAllowed(response, { origin: sent, mode: 'omit', method: 'PUT' }), isNamed)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is seen in the list of routes [PAGE-10]', async () => {
    const app = await api({ origins: [SHOP] }).boot()
    const routes = (await app.inspection()).routes()

    const [first] = routes.filter((route) => JSON.stringify(route.paths).includes('/api'))
    assert.match(JSON.stringify(first), /Cors\.of/)
  })

  it('works over HTTP, where a preflight has no body and its connection stays open [PAGE-10]', async (t) => {
    const server = await serve(api({ origins: [SHOP] }), { port: 0, signals: [] })
    t.after(() => server.close())

    const response = await request(server.port, [
      'OPTIONS /api/tea HTTP/1.1',
      'Host: app.test',
      `Origin: ${SHOP}`,
      'Access-Control-Request-Method: PUT',
      'Connection: close',
    ])

    assert.equal(response.status, 204)
    assert.deepEqual(values(response, 'access-control-allow-origin'), [SHOP])
    assert.deepEqual(values(response, 'content-length'), [])
    assert.equal(response.body, '')
  })
})

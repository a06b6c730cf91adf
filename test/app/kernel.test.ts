import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { type App, type HttpContext, SystemClock } from 'sallyport'
import { ForbiddenException, type Middleware, type Next } from 'sallyport/http'
import { SessionPolicy, SessionStore } from 'sallyport/session'
import { FrozenClock, TestClient } from 'sallyport/testing'

import { SpyStore } from '../session/spy-store.ts'
import { type Answers, browser, Faults, site, type SiteOptions } from './fixture.ts'

const ACCOUNT: Answers = {
  'GET /read': async (context) => ({ user: (await context.session().get('user')) ?? null }),
  'GET /has': (context) => ({ touched: context.session() !== null }),
  'POST /set': async (context) => context.session().set('user', context.query()),
  'POST /rotate': (context) => context.session().regenerateId(),
  'POST /destroy': (context) => context.session().destroy(),
  'POST /set-and-fail': async (context) => {
    await context.session().set('user', 'kept')
    throw new ForbiddenException()
  },
  'POST /cookie': (context) => context.cookies().set('theme', 'dark'),
  'POST /cookie-and-set': async (context) => {
    context.cookies().set('theme', 'dark')
    await context.session().set('user', 'x')
  },
  'GET /plain': () => 'hi',
}

function withStore(options: SiteOptions = {}): { client: TestClient; store: SpyStore; app: App } {
  const store = new SpyStore(new FrozenClock(new SystemClock().now()))
  const app = site(ACCOUNT, {
    ...options,
    configure: (configured) => {
      configured.configure((definitions) => definitions.set(SessionStore, store))
      options.configure?.(configured)
    },
  })
  return { client: new TestClient(app), store, app }
}

describe('the session in a request', () => {
  it('a page that uses no session sends no cookie and makes no store call, with a cookie or without [R-38]', async () => {
    const { client, store } = withStore()
    for (const path of ['/plain', '/has', '/read']) {
      assert.deepEqual((await client.get(path)).headers.getSetCookie(), [])
    }
    assert.deepEqual(store.calls, [])

    await client.post('/set?ada')
    store.reset()
    await client.get('/plain')
    await client.get('/has')

    assert.deepEqual(store.calls, [])
  })

  it('its cookie is HttpOnly, SameSite=Lax, for the whole host, and lasts until the browser closes [SESS-15]', async () => {
    const { client } = withStore()

    const [line = ''] = (await client.post('/set?ada')).headers.getSetCookie()

    assert.match(line, /^sid=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
  })

  it('is __Host- and Secure over HTTPS; the cookie of plain HTTP is ignored there', async () => {
    const { client, app } = withStore()
    const secure = new TestClient(app, { origin: 'https://app.test' })
    await client.post('/set?ada')
    const stolen = client.cookie('sid') ?? ''

    const [line = ''] = (await secure.post('/set?bob')).headers.getSetCookie()
    assert.match(line, /^__Host-sid=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/)

    const response = await new TestClient(app, { origin: 'https://app.test' }).get('/read', {
      headers: { cookie: `sid=${stolen}` },
    })
    assert.deepEqual(await response.json(), { user: null })
  })

  it('follows the policy of the application', async () => {
    const { client } = withStore({
      configure: (app) =>
        app.configure((definitions) =>
          definitions.set(SessionPolicy, new SessionPolicy({ cookieName: 'shop', sameSite: 'strict' })),
        ),
    })

    assert.match((await client.post('/set?ada')).headers.getSetCookie()[0] ?? '', /^shop=.*SameSite=Strict$/)
  })

  it('is committed before the response is sent, even with an error', async () => {
    const { client } = withStore()

    assert.equal((await client.post('/set-and-fail')).status, 403)

    assert.deepEqual(await (await client.get('/read')).json(), { user: 'kept' })
  })

  it('is destroyed on request: the cookie is expired, the data gone [SESS-17]', async () => {
    const { client } = withStore()
    await client.post('/set?ada')
    const before = client.clone()

    const [line = ''] = (await client.post('/destroy')).headers.getSetCookie()

    assert.match(line, /^sid=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax$/)
    assert.equal(client.cookie('sid'), undefined)
    assert.deepEqual(await (await before.get('/read')).json(), { user: null })
  })

  it('a request that still carries the old cookie is anonymous and sets no session cookie [R-06]', async () => {
    const { client } = withStore()
    await client.post('/set?ada')
    const late = client.clone()
    await client.post('/rotate')

    assert.deepEqual(await (await late.get('/read')).json(), { user: null })
    assert.deepEqual((await late.post('/set?eve')).headers.getSetCookie(), [])
    assert.deepEqual(await (await client.get('/read')).json(), { user: 'ada' })
  })

  for (const cookie of ['sid=a; sid=b', `sid=${'x'.repeat(42)}`, 'sid=', `sid="${'A'.repeat(43)}`]) {
    it(`treats ${cookie.slice(0, 24)} as no session`, async () => {
      const { client, store } = withStore()

      assert.deepEqual(await (await client.get('/read', { headers: { cookie } })).json(), { user: null })
      assert.deepEqual(store.calls, [])
    })
  }

  it('treats a duplicate cookie as none, although one of them is valid', async () => {
    const { client } = withStore()
    await client.post('/set?ada')
    const good = `sid=${client.cookie('sid')}`

    for (const cookie of [`${good}; ${good}`, `${good}; sid=${'A'.repeat(43)}`, `sid=x; ${good}`]) {
      assert.deepEqual(await (await client.get('/read', { headers: { cookie } })).json(), { user: null })
    }
  })

  it('two concurrent requests that write different keys both survive [R-07]', async () => {
    const gate = Promise.withResolvers<void>()
    const store = new SpyStore(new FrozenClock())
    let arrived = 0
    const write = (key: string) => async (context: HttpContext) => {
      await context.session().set(key, key)
      if (++arrived === 2) gate.resolve()
      await gate.promise
    }
    const client = browser(
      {
        'POST /begin': (context) => context.session().set('base', 1),
        'POST /a': write('a'),
        'POST /b': write('b'),
        'GET /': async (context) => [
          await context.session().get('base'),
          await context.session().get('a'),
          await context.session().get('b'),
        ],
      },
      { configure: (app) => app.configure((definitions) => definitions.set(SessionStore, store)) },
    )
    await client.post('/begin')

    await Promise.all([client.post('/a'), client.post('/b')])

    assert.deepEqual(await (await client.get('/')).json(), [1, 'a', 'b'])
  })
})

describe('a session store that fails', () => {
  for (const [operation, path] of [
    ['read', '/read'],
    ['update', '/set?eve'],
    ['rotate', '/rotate'],
    ['destroy', '/destroy'],
  ] as const) {
    it(`at ${operation}: 503 with Retry-After, no cookie, the session unchanged; other pages work [R-20 R-23]`, async () => {
      const faults = new Faults()
      const { client, store } = withStore({ configure: faults.listen })
      await client.post('/set?ada')
      store.failing.add(operation)

      const response = await (path === '/read' ? client.get(path) : client.post(path))

      assert.equal(response.status, 503)
      assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
      assert.deepEqual(response.headers.getSetCookie(), [])
      assert.equal((await client.get('/plain')).status, 200)
      assert.equal(faults.seen.length, 1)
      store.failing.clear()
      assert.deepEqual(await (await client.get('/read')).json(), { user: 'ada' })
    })
  }

  it('sends no cookie of the application either when nothing is confirmed [R-23]', async () => {
    const { client, store } = withStore({ configure: new Faults().listen })
    store.failing.add('create')

    const response = await client.post('/cookie-and-set')

    assert.equal(response.status, 503)
    assert.deepEqual(response.headers.getSetCookie(), [])
  })

  it('is a 503 even if the application swallows the error of the read [R-22]', async () => {
    const store = new SpyStore(new FrozenClock())
    const client = browser(
      {
        'POST /begin': (context) => context.session().set('a', 1),
        'GET /': (context) =>
          context
            .session()
            .get('a')
            .catch(() => 'anonymous'),
      },
      {
        configure: (app) => {
          new Faults().listen(app)
          app.configure((definitions) => definitions.set(SessionStore, store))
        },
      },
    )
    await client.post('/begin')
    store.failing.add('read')

    assert.equal((await client.get('/')).status, 503)
  })

  it('cancels the body of the response that it replaces', async () => {
    let cancelled = false
    const store = new SpyStore(new FrozenClock())
    store.failing.add('create')
    const client = browser(
      {
        'GET /': async (context) => {
          await context.session().set('a', 1)
          return new Response(new ReadableStream({ cancel: () => void (cancelled = true) }))
        },
      },
      {
        configure: (app) => {
          new Faults().listen(app)
          app.configure((definitions) => definitions.set(SessionStore, store))
        },
      },
    )

    assert.equal((await client.get('/')).status, 503)
    assert.equal(cancelled, true)
  })
})

describe('cookies of the application', () => {
  it('are sent with the response, with an error and with a redirect', async () => {
    const client = browser({
      'POST /ok': (context) => context.cookies().set('a', '1'),
      'POST /no': (context) => {
        context.cookies().set('a', '2')
        throw new ForbiddenException()
      },
      'GET /': (context) => context.cookies().get('a') ?? 'none',
    })

    await client.post('/ok')
    assert.equal(await (await client.get('/')).text(), '1')
    await client.post('/no')
    assert.equal(await (await client.get('/')).text(), '2')
  })

  it('stay next to the cookies of a Response that the action created', async () => {
    const client = browser({
      'GET /': async (context) => {
        context.cookies().set('b', '2')
        await context.session().set('x', 1)
        return new Response('', {
          headers: [
            ['set-cookie', 'a=1'],
            ['set-cookie', 'c=3'],
          ],
        })
      },
    })

    const names = (await client.get('/')).headers
      .getSetCookie()
      .map((line) => line.slice(0, line.indexOf('=')))

    assert.deepEqual(names.sort(), ['a', 'b', 'c', 'sid'])
  })
})

describe('caching', () => {
  for (const [what, answer, value] of [
    ['a page without session', () => 'hi', null],
    [
      'a page that read the session',
      async (context: HttpContext) => String(await context.session().get('x')),
      'private, no-cache',
    ],
    [
      'a page that wrote to the session',
      async (context: HttpContext) => {
        await context.session().set('x', 1)
        return 'hi'
      },
      'private, no-cache',
    ],
    [
      'a page of somebody signed in',
      (context: HttpContext) => {
        context.auth().authenticate({})
        return 'hi'
      },
      'no-store',
    ],
    [
      'a page that says so itself',
      (context: HttpContext) => {
        context.auth().authenticate({})
        return new Response('', { headers: { 'cache-control': 'private, max-age=5' } })
      },
      'private, max-age=5',
    ],
  ] as const) {
    it(`${what} has Cache-Control ${String(value)} [FLOW-48]`, async () => {
      const client = browser({ 'GET /': answer })
      await client.post('/nothing')

      const response = await client.get('/', { headers: { cookie: `sid=${'A'.repeat(43)}` } })

      assert.equal(response.headers.get('cache-control'), value)
    })
  }
})

describe('HEAD', () => {
  it('has the headers of GET and no body; the source of the body is cancelled', async () => {
    let cancelled = false
    const client = browser({
      'GET /text': () => 'hello',
      'GET /stream': () =>
        new Response(new ReadableStream({ cancel: () => void (cancelled = true) }), {
          headers: { 'x-a': '1' },
        }),
    })

    const [get, head, stream] = [
      await client.get('/text'),
      await client.request('HEAD', '/text'),
      await client.request('HEAD', '/stream'),
    ]

    assert.equal(head.status, 200)
    assert.equal(await head.text(), '')
    assert.deepEqual([...head.headers], [...get.headers])
    assert.equal(head.headers.get('content-length'), '5')
    assert.equal(stream.headers.get('x-a'), '1')
    assert.equal(cancelled, true)
  })

  it('has no body with an error either', async () => {
    const response = await browser({}).request('HEAD', '/nowhere')

    assert.equal(response.status, 404)
    assert.equal(await response.text(), '')
  })
})

describe('a middleware that breaks its contract', () => {
  for (const [what, process] of [
    ['returns nothing', () => undefined],
    ['returns nothing later', async () => undefined],
    ['returns a text', () => 'hi'],
    ['returns null', async () => null],
    ['returns the response of an error', () => Response.error()],
  ] as const) {
    for (const band of ['incoming', 'routed', 'outgoing'] as const) {
      it(`responds with 500 and names it when it ${what} on the ${band} band`, async () => {
        class Forgetful {
          process = process as unknown as Middleware['process']
        }
        const faults = new Faults()
        const client = browser(
          { 'GET /': () => 'hi' },
          {
            configure: (app) => {
              faults.listen(app)
              app.middleware()[band](new Forgetful())
            },
          },
        )

        assert.equal((await client.get('/')).status, 500)
        assert.match(
          faults.messages[0] ?? '',
          band === 'outgoing' ? /not a response/ : /not a response.*Forgetful/,
        )
      })
    }
  }

  it('cannot continue twice', async () => {
    let runs = 0
    const twice: Middleware<HttpContext> = {
      async process(_context: HttpContext, next: Next) {
        await next()
        return next()
      },
    }
    const faults = new Faults()
    const client = browser(
      { 'GET /': () => String(++runs) },
      {
        configure: (app) => {
          faults.listen(app)
          app.middleware().incoming(twice)
        },
      },
    )

    assert.equal((await client.get('/')).status, 500)
    assert.equal(runs, 1)
    assert.match(faults.messages[0] ?? '', /next\(\) again/)
  })

  it('drops what the failing request has set [HOLD-20]', async () => {
    const client = browser(
      {
        'GET /': async (context) => {
          await context.session().set('a', 'kept')
          return 'hi'
        },
        'GET /read': async (context) => String(await context.session().get('a')),
      },
      {
        configure: (app) => {
          new Faults().listen(app)
          app.middleware().incoming(
            {
              process: async (_: HttpContext, next: Next) => {
                await next()
                return undefined as unknown as Response
              },
            },
            { when: (context) => context.path() === '/' },
          )
        },
      },
    )

    assert.equal((await client.get('/')).status, 500)
    assert.equal(await (await client.get('/read')).text(), 'undefined')
  })
})

describe('an outgoing middleware that fails', () => {
  function failingLate(error: Error): TestClient {
    return browser(ACCOUNT, {
      configure: (app) => {
        new Faults().listen(app)
        app.middleware().outgoing(
          {
            process: () => {
              throw error
            },
          },
          { when: (context) => context.path() === '/cookie-and-set' },
        )
      },
    })
  }

  function cookieNames(response: Response): (string | undefined)[] {
    const names = response.headers.getSetCookie().map((line) => line.split('=')[0])
    return names.sort()
  }

  it('a refusal carries the cookies that the store has confirmed, and the security headers [R-23]', async () => {
    const client = failingLate(new ForbiddenException())

    const response = await client.post('/cookie-and-set')

    assert.equal(response.status, 403)
    assert.deepEqual(cookieNames(response), ['sid', 'theme'])
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.deepEqual(await (await client.get('/read')).json(), { user: 'x' })
  })

  it('an error reverts what the store has confirmed, and the session cookie with it [HOLD-20]', async () => {
    const client = failingLate(new Error('late'))

    const response = await client.post('/cookie-and-set')

    assert.equal(response.status, 500)
    assert.deepEqual(cookieNames(response), ['theme'])
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    assert.deepEqual(await (await client.get('/read')).json(), { user: null })
  })

  it('lets the others of the band run, and has no body for HEAD', async () => {
    const seen: number[] = []
    const client = browser(
      { 'GET /': () => 'hi' },
      {
        configure: (app) => {
          new Faults().listen(app)
          app
            .middleware()
            .outgoing({
              process: async () => {
                throw new Error('late')
              },
            })
            .outgoing({
              process: (response: Response) => {
                seen.push(response.status)
                return response
              },
            })
        },
      },
    )

    const response = await client.request('HEAD', '/')

    assert.deepEqual(seen, [500])
    assert.equal(await response.text(), '')
  })

  it('responds with 500 when its condition throws', async () => {
    const faults = new Faults()
    const client = browser(
      { 'GET /': () => 'hi' },
      {
        configure: (app) => {
          faults.listen(app)
          app.middleware().outgoing(
            { process: (response: Response) => response },
            {
              when: () => {
                throw new Error('when')
              },
            },
          )
        },
      },
    )

    assert.equal((await client.get('/')).status, 500)
    assert.deepEqual(faults.messages, ['when'])
  })
})

describe('bodies', () => {
  it('responds with 413 and Connection: close to a body over the limit, even where nothing reads it [R-35]', async () => {
    const client = browser({ 'POST /': () => 'hi' }, { configure: (app) => app.limits({ bodyBytes: 10 }) })

    for (const headers of [{}, { 'transfer-encoding': 'chunked' }]) {
      for (const body of ['x'.repeat(11), 'x'.repeat(100_000)]) {
        const response = await client.post('/', { body, headers })
        assert.equal(response.status, 413)
      }
      assert.equal((await client.post('/', { body: 'x'.repeat(10), headers })).status, 200)
    }
  })

  it('gives the application a body that the framework has read, and vice versa', async () => {
    const client = browser({
      'POST /form-first': async (context) =>
        `${(await context.form())?.text('a')}|${await context.request().text()}`,
      'POST /request-first': async (context) =>
        `${await context.request().text()}|${(await context.form())?.text('a')}`,
    })

    for (const path of ['/form-first', '/request-first']) {
      const text = await (await client.post(path, { form: { a: '1', b: '2' } })).text()
      assert.deepEqual(text.split('|').sort(), ['1', 'a=1&b=2'])
    }
  })
})

describe('App.onTerminate()', () => {
  it('runs once after each response, errors included; a hook that fails is reported', async () => {
    const faults = new Faults()
    const paths: string[] = []
    const client = browser(
      { 'GET /': () => 'hi' },
      {
        configure: (app) => {
          faults.listen(app)
          app
            .onTerminate(() => {
              throw new Error('hook')
            })
            .onTerminate(async () => Promise.reject(new Error('later')))
            .onTerminate((context) => void paths.push(context.path()))
        },
      },
    )

    await client.get('/')
    await client.get('/nowhere')
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))

    assert.deepEqual(paths, ['/', '/nowhere'])
    assert.deepEqual(faults.messages.sort(), ['hook', 'hook', 'later', 'later'])
  })

  for (const [what, path, stops] of [
    ['an answer', '/', false],
    ['a URL that nothing answers', '/nowhere', false],
    ['an error', '/fails', false],
    ['an outgoing middleware that fails', '/', true],
  ] as const) {
    it(`runs after the outgoing band and the handover, in the order of registration: ${what}`, async () => {
      const order: string[] = []
      const ended = Promise.withResolvers<void>()
      const note = (word: string, context: HttpContext): void => void order.push(`${word} ${context.path()}`)
      const outgoing = (word: string, fails = false) => ({
        async process(response: Response, context: HttpContext): Promise<Response> {
          await new Promise(setImmediate)
          note(word, context)
          if (fails) throw new Error('outgoing')
          return response
        },
      })
      const app = site(
        {
          'GET /': () => 'hi',
          'GET /fails': () => {
            throw new Error('action')
          },
        },
        {
          configure: (configured) => {
            new Faults().listen(configured)
            configured.onTerminate((context) => note('terminated', context))
            configured.onTerminate((context) => {
              note('ended', context)
              ended.resolve()
            })
            configured.middleware().outgoing(outgoing('first', stops)).outgoing(outgoing('second'))
          },
        },
      )

      await app.fetch(new Request(`http://app.test${path}`))
      order.push('handed over')
      await ended.promise

      const words = ['first', 'second', 'handed over', 'terminated', 'ended']
      assert.deepEqual(
        order,
        words.map((word) => (word === 'handed over' ? word : `${word} ${path}`)),
      )
    })
  }

  it('sees the request, its route and its session in their final state, and can change neither', async () => {
    const seen: unknown[] = []
    const ended = Promise.withResolvers<void>()
    const client = browser(
      {
        'POST /cart': async (context) => {
          await context.session().set('items', 3)
          context.cookies().set('theme', 'dark')
          return ''
        },
      },
      {
        configure: (app) => {
          app.middleware().outgoing({ process: () => new Response('replaced', { status: 202 }) })
          app.onTerminate(async (context) => {
            seen.push(context.method(), context.path(), context.route().action, context.id())
            seen.push(await context.session().get('items'))
            await assert.rejects(async () => context.session().set('items', 4), /answer|response|sent/i)
            assert.throws(() => context.cookies().set('late', '1'), /answer|response|sent/i)
            ended.resolve()
          })
        },
      },
    )

    const answer = await client.post('/cart')
    await ended.promise

    assert.equal(answer.status, 202)
    assert.deepEqual(seen.toSpliced(3, 1), ['POST', '/cart', 'answer0', 3])
    assert.match(String(seen[3]), /^[\w-]{16}$/)
  })
})

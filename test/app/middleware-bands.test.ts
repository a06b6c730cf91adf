import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App, type HttpContext, inject } from 'sallyport'
import {
  ForbiddenException,
  type Middleware,
  type MiddlewareClass,
  type Next,
  type OutgoingMiddleware,
} from 'sallyport/http'
import { TestClient } from 'sallyport/testing'

import { browser, Faults, site } from './fixture.ts'

class Log {
  readonly lines: string[] = []
}

function noting(label: string): Middleware<HttpContext> {
  return {
    async process(context: HttpContext, next: Next): Promise<Response> {
      log.lines.push(`${label} ${context.hasRoute() ? 'routed' : 'unrouted'}`)
      const response = await next()
      log.lines.push(`/${label}`)
      return response
    }, // one log for each test: reset() empties it
  }
}
const log = new Log()
function reset(): void {
  log.lines.length = 0
}

class Outer implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    return noting('Outer').process(context, next) as Promise<Response>
  }
}
class Inner implements Middleware {
  process(context: HttpContext, next: Next): Promise<Response> {
    return noting('Inner').process(context, next) as Promise<Response>
  }
}
class Stop implements Middleware {
  process(): Response {
    throw new ForbiddenException()
  }
}

describe('the middleware bands', () => {
  it('a request goes through incoming, routing, routed, route middlewares, dispatcher [TOPO-06 SCOPE-24]', async () => {
    reset()
    const client = browser(
      { 'GET /': () => void log.lines.push('dispatcher') },
      {
        middlewares: [Outer],
        module: (module) => module.routes(() => undefined),
        configure: (app) =>
          app
            .middleware()
            .routed(noting('routed'))
            .incoming(noting('incoming'))
            .outgoing({ process: (response: Response) => (log.lines.push('outgoing'), response) }),
      },
    )

    await client.get('/')

    assert.deepEqual(log.lines, [
      'incoming unrouted',
      'routed routed',
      'Outer routed',
      'dispatcher',
      '/Outer',
      '/routed',
      '/incoming',
      'outgoing',
    ])
  })

  it('incoming runs for a URL that is not found, routed does not [TOPO-06]', async () => {
    reset()
    const client = browser(
      { 'GET /': () => 'hi' },
      { configure: (app) => app.middleware().incoming(noting('incoming')).routed(noting('routed')) },
    )

    assert.equal((await client.get('/nowhere')).status, 404)
    assert.equal((await client.post('/')).status, 405)
    assert.deepEqual(log.lines, ['incoming unrouted', 'incoming unrouted'])
  })

  it('accepts a class, built once through the container, and an instance [TOPO-07]', async () => {
    let built = 0
    class Counter implements Middleware {
      readonly log: Log = inject(Log)
      constructor() {
        built++
      }
      process(_context: HttpContext, next: Next): Promise<Response> {
        this.log.lines.push('class')
        return next()
      }
    }
    const shared = new Log()
    const client = browser(
      { 'GET /': () => 'hi' },
      {
        configure: (app) => {
          app.configure((definitions) => definitions.set(Log, shared))
          app
            .middleware()
            .incoming(Counter)
            .incoming({ process: (_: HttpContext, next: Next) => (shared.lines.push('instance'), next()) })
        },
      },
    )

    await client.get('/')
    await client.get('/')

    assert.equal(built, 1)
    assert.deepEqual(shared.lines, ['class', 'instance', 'class', 'instance'])
  })

  it('uses the instance that the composition root has for a class [TOPO-07]', async () => {
    class Gate implements Middleware {
      readonly label: string
      constructor(label = 'default') {
        this.label = label
      }
      process(): Response {
        return new Response(this.label)
      }
    }
    const client = browser(
      {},
      {
        configure: (app) =>
          app
            .configure((definitions) => definitions.set(Gate, new Gate('configured')))
            .middleware()
            .incoming(Gate),
      },
    )

    assert.equal(await (await client.get('/')).text(), 'configured')
  })

  for (const band of ['incoming', 'routed', 'outgoing'] as const) {
    it(`runs the ${band} band by priority, then in the order of registration`, async () => {
      const order: string[] = []
      const step = (name: string): Middleware<HttpContext> & OutgoingMiddleware<HttpContext> => ({
        process: (
          first: HttpContext | Response,
          second: Next | HttpContext,
        ): Response | Promise<Response> => {
          order.push(name)
          return first instanceof Response ? first : (second as Next)()
        },
      })
      const client = browser(
        { 'GET /': () => 'hi' },
        {
          configure: (app) =>
            app
              .middleware()
              [band](step('a'))
              [band](step('late'), { priority: 10 })
              [band](step('b'))
              [band](step('early'), { priority: -5 })
              [band](step('c'), { priority: 0 }),
        },
      )

      await client.get('/')

      assert.deepEqual(order, ['early', 'a', 'b', 'c', 'late'])
    })

    it(`skips a middleware of the ${band} band when its condition is false`, async () => {
      const paths: string[] = []
      const watch = {
        process: (
          first: HttpContext | Response,
          second: Next | HttpContext,
        ): Response | Promise<Response> => {
          const context = first instanceof Response ? (second as HttpContext) : first
          paths.push(context.path())
          return first instanceof Response ? first : (second as Next)()
        },
      }
      const client = browser(
        { 'GET /a': () => 'a', 'GET /b': (context) => context.middlewares().join() },
        { configure: (app) => app.middleware()[band](watch, { when: (context) => context.path() === '/a' }) },
      )

      await client.get('/a')
      assert.equal(await (await client.get('/b')).text(), '')

      assert.deepEqual(paths, ['/a'])
    })
  }

  it('runs outgoing once for every response', async () => {
    const seen: [number, string][] = []
    const client = browser(
      {
        'GET /': () => 'hi',
        'GET /boom': () => {
          throw new Error('boom')
        },
      },
      {
        configure: (app) => {
          new Faults().listen(app)
          app
            .middleware()
            .incoming(Stop, { when: (context) => context.path() === '/stop' })
            .outgoing({
              process: (response: Response, context: HttpContext) => (
                seen.push([response.status, context.path()]),
                response
              ),
            })
        },
      },
    )

    for (const path of ['/', '/boom', '/stop', '/nowhere', '/%ff']) await client.get(path)
    await client.post('/')

    assert.deepEqual(seen, [
      [200, '/'],
      [500, '/boom'],
      [403, '/stop'],
      [404, '/nowhere'],
      [400, '/%ff'],
      [405, '/'],
    ])
  })

  it('lets outgoing see session and cookies written, and change the response', async () => {
    const client = browser(
      {
        'GET /': async (context) => {
          context.cookies().set('a', '1')
          await context.session().set('x', 1)
          return 'hi'
        },
      },
      {
        configure: (app) =>
          app.middleware().outgoing({
            process: async (response: Response) => {
              const cookies = response.headers.getSetCookie().length
              return new Response(`${await response.text()} ${cookies}`, {
                status: 203,
                headers: response.headers,
              })
            },
          }),
      },
    )

    const response = await client.get('/')

    assert.equal(response.status, 203)
    assert.equal((await response.text()).slice(0, 4), 'hi 2')
  })

  for (const wrong of [undefined, null, {}, 'x', class {}, { process: 5 }, () => new Response()]) {
    it(`refuses ${typeof wrong === 'function' ? 'a function without process()' : JSON.stringify(wrong)}`, () => {
      const bands = App.create().middleware()

      assert.throws(() => bands.incoming(wrong as unknown as MiddlewareClass), TypeError)
      assert.throws(() => bands.routed(wrong as unknown as MiddlewareClass), TypeError)
      assert.throws(() => bands.outgoing(wrong as unknown as OutgoingMiddleware), TypeError)
    })
  }

  it('cannot be changed after boot [OPEN-30]', async () => {
    const app = await site({}).boot()

    assert.throws(() => app.middleware().incoming(Outer), /booted/)
  })
})

describe('the trace', () => {
  it('holds each middleware that ran, in order, and no other [TOPO-16]', async () => {
    const traces: (readonly string[])[] = []
    const client = browser(
      { 'GET /': (context) => void traces.push([...context.middlewares()]) },
      {
        middlewares: [Inner],
        configure: (app) =>
          app
            .onTerminate((context) => void traces.push(context.middlewares()))
            .middleware()
            .incoming(Outer)
            .incoming(Stop, { when: () => false }),
      },
    )

    await client.get('/')
    await client.get('/nowhere')
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))

    assert.deepEqual(traces, [['Outer', 'Inner'], ['Outer', 'Inner'], ['Outer']])
  })

  it('holds one that refused, and nothing after it [TOPO-16]', async () => {
    let seen: readonly string[] = []
    const client = browser(
      { 'GET /': () => 'hi' },
      {
        middlewares: [Stop, Inner],
        configure: (app) =>
          app.middleware().outgoing({
            process: (response: Response, context: HttpContext) => ((seen = context.middlewares()), response),
          }),
      },
    )

    assert.equal((await client.get('/')).status, 403)
    assert.deepEqual(seen, ['Stop'])
  })

  it('compares classes: another class of the same name did not run [TOPO-16]', async () => {
    const Namesake = { Outer: class Outer extends Inner {} }.Outer
    const client = browser(
      {
        'GET /': (context) => [
          context.hasMiddleware(Outer),
          context.hasMiddleware(Namesake),
          context.hasMiddleware(Inner),
          context.middlewares(),
        ],
      },
      { middlewares: [Outer] },
    )

    assert.deepEqual(await (await client.get('/')).json(), [true, false, false, ['Outer']])
  })

  it('belongs to one request: concurrent requests have one each [TOPO-16]', async () => {
    const gate = Promise.withResolvers<void>()
    const app = site(
      {
        'GET /a': async (context) => {
          await gate.promise
          return context.middlewares()
        },
        'GET /b': async (context) => {
          gate.resolve()
          return context.middlewares()
        },
      },
      {
        configure: (configured) =>
          configured.middleware().incoming(Outer, { when: (context) => context.path() === '/a' }),
      },
    )

    const [a, b] = await Promise.all([new TestClient(app).get('/a'), new TestClient(app).get('/b')])

    assert.deepEqual([await a.json(), await b.json()], [['Outer'], []])
  })
})

describe('next()', () => {
  it('accepts a request that replaces the current one, before routing', async () => {
    const rewrite: Middleware<HttpContext> = {
      process: (context: HttpContext, next: Next) =>
        next(
          new Request(new URL('/new?b=2', context.request().url), {
            method: 'POST',
            headers: { 'x-a': '1' },
            body: 'c=3',
          }),
        ),
    }
    const client = browser(
      {
        'POST /new': async (context) => [
          context.method(),
          context.path(),
          context.query(),
          context.header('X-A'),
          await context.request().text(),
        ],
      },
      { configure: (app) => app.middleware().incoming(rewrite) },
    )

    assert.deepEqual(await (await client.get('/old?a=1')).json(), ['POST', '/new', 'b=2', '1', 'c=3'])
  })

  it('rejects with the exception of the inner steps, so that a middleware can handle it', async () => {
    const rescue: Middleware<HttpContext> = {
      process: (_context: HttpContext, next: Next) =>
        next().catch((error: unknown) => new Response(String(error), { status: 299 })),
    }
    const client = browser(
      {
        'GET /now': () => {
          throw new Error('boom')
        },
        'GET /later': async () => {
          throw new Error('boom')
        },
      },
      { configure: (app) => app.middleware().incoming(rescue) },
    )

    for (const path of ['/now', '/later', '/nowhere']) assert.equal((await client.get(path)).status, 299)
  })
})

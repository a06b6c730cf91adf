import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { App, Controller, defineModule, type HttpContext, type Module } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { CsrfMiddleware, MethodOverrideMiddleware } from 'sallyport/middleware'
import { serve } from 'sallyport/node'
import { type Limits, RoutingException } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'
import { request } from '../../node/raw.ts'

const APP_LIMIT = 1000

class NoteController extends Controller {
  static readonly actions = { index: [], indexPost: [], indexPut: [], largePost: [], smallPost: [] }
  static readonly limits = {
    largePost: { bodyBytes: 5000 },
    smallPost: { bodyBytes: 100 },
  } satisfies Limits<NoteController>

  async index() {
    return this.context.csrf().token()
  }

  async indexPost() {
    return this.#length()
  }

  async indexPut() {
    return this.#length()
  }

  async largePost() {
    return this.#length()
  }

  async smallPost() {
    return this.#length()
  }

  async #length(): Promise<string> {
    return `${(await this.context.request().text()).length} bytes`
  }
}

function notes(
  configure: (module: Module) => unknown,
  withApp: (app: App) => unknown = () => undefined,
): App {
  const app = App.create()
    .modules(defineModule('Notes', (module) => void configure(module)))
    .limits({ bodyBytes: APP_LIMIT })
    .configure((definitions) => definitions.set(SessionStore, new MemorySessionStore()))
  withApp(app)
  return app
}

/** The status of a POST of a body, first with its length announced, then in chunks. */
async function statuses(app: App, path: string, bytes: number, method = 'POST'): Promise<number[]> {
  const client = new TestClient(app)
  const body = 'x'.repeat(bytes)
  const announced = await client.request(method, path, { body, headers: { 'content-length': String(bytes) } })
  const init: RequestInit = { method, body: ReadableStream.from([Buffer.from(body)]), duplex: 'half' }
  const chunked = await app.fetch(new Request(`http://localhost${path}`, init))
  return [announced.status, chunked.status]
}

/** Reads every body before routing. */
class ReadAll implements Middleware {
  async process(context: HttpContext, next: Next): Promise<Response> {
    await context.request().clone().text()
    return next()
  }
}

describe('the limit of a body', () => {
  it('is that of the route, above or below the limit of the application [PAGE-05]', async () => {
    const app = notes((module) =>
      module.withoutConventionRouting().routes((routes) => {
        routes.post('/plain', [NoteController, 'indexPost'])
        routes.post('/above', [NoteController, 'indexPost']).limits({ bodyBytes: 3000 })
        routes.post('/below', [NoteController, 'indexPost']).limits({ bodyBytes: 10 })
      }),
    )

    assert.deepEqual(await statuses(app, '/notes/plain', 1001), [413, 413])
    assert.deepEqual(await statuses(app, '/notes/above', 3000), [200, 200])
    assert.deepEqual(await statuses(app, '/notes/above', 3001), [413, 413])
    assert.deepEqual(await statuses(app, '/notes/below', 10), [200, 200])
    assert.deepEqual(await statuses(app, '/notes/below', 11), [413, 413])
    assert.deepEqual(await statuses(app, '/notes/nowhere', 900), [404, 404])
    assert.deepEqual(await statuses(app, '/notes/nowhere', 1001), [413, 413])
  })

  it('is that of the nearest of route, group, action, module and application [PAGE-05]', async () => {
    const app = notes((module) =>
      module
        .limits({ bodyBytes: 2000 })
        .controllers(NoteController)
        .routes((routes) => {
          routes.post('/module', [NoteController, 'indexPut'])
          routes.limits({ bodyBytes: 3000 }).group((large) => {
            large.post('/group', [NoteController, 'indexPut'])
            large
              .prefix('/inner')
              .limits({ bodyBytes: 20 })
              .group((inner) => {
                inner.post('/group', [NoteController, 'indexPut'])
                inner.post('/route', [NoteController, 'indexPut']).limits({ bodyBytes: 4000 })
              })
          })
        })
        .claim('/claimed', (routes) => routes.post('/', [NoteController, 'indexPut'])),
    )
    const limits: [string, number][] = [
      ['/notes/module', 2000],
      ['/notes/group', 3000],
      ['/notes/inner/group', 20],
      ['/notes/inner/route', 4000],
      ['/claimed', 2000],
      // By convention, with and without limits of the action.
      ['/notes/note/large', 5000],
      ['/notes/note/small', 100],
      ['/notes/note', 2000],
    ]

    for (const [path, limit] of limits) {
      assert.deepEqual(await statuses(app, path, limit), [200, 200], path)
      assert.deepEqual(await statuses(app, path, limit + 1), [413, 413], path)
    }
  })

  it('belongs to an action wherever a resolver finds it [PAGE-05]', async () => {
    const resolved = notes((module) =>
      module
        .controllers(NoteController)
        .withoutConventionRouting()
        .resolver({ resolve: (asked) => asked.route(NoteController, asked.segments[0] ?? '') }),
    )

    assert.deepEqual(await statuses(resolved, '/notes/largePost', 5000), [200, 200])
    assert.deepEqual(await statuses(resolved, '/notes/largePost', 5001), [413, 413])
    assert.deepEqual(await statuses(resolved, '/notes/smallPost', 101), [413, 413])
    assert.deepEqual(await statuses(resolved, '/notes/indexPost', 1001), [413, 413])
  })

  it('is known before a middleware reads the body [PAGE-05]', async () => {
    const app = notes(
      (module) =>
        module
          .withoutConventionRouting()
          .middleware(CsrfMiddleware)
          .routes((routes) => {
            routes.get('/', [NoteController, 'index'])
            routes.post('/', [NoteController, 'indexPost']).limits({ bodyBytes: 3000 })
            routes.put('/', [NoteController, 'indexPut']).limits({ bodyBytes: 4000 })
          }),
      (given) => given.middleware().incoming(MethodOverrideMiddleware),
    )
    const client = new TestClient(app)
    const send = async (more: Record<string, string>, length: number): Promise<number> => {
      const _csrf = await (await client.get('/notes')).text()
      return (await client.post('/notes', { form: { ...more, _csrf, text: 'x'.repeat(length) } })).status
    }

    assert.equal(await send({}, 2500), 200)
    assert.equal(await send({}, 3000), 413)
    assert.equal(await send({ _method: 'PUT' }, 3500), 200)
    assert.equal(await send({ _method: 'PUT' }, 4000), 413)
  })

  it('holds for a body that was read before routing by a higher one [PAGE-05]', async () => {
    const app = notes(
      (module) =>
        module.withoutConventionRouting().routes((routes) => {
          routes.post('/', [NoteController, 'indexPost']).limits({ bodyBytes: 10 })
          routes.delete('/', [NoteController, 'indexPut']).limits({ bodyBytes: 3000 })
        }),
      (given) => given.middleware().incoming(ReadAll),
    )

    assert.deepEqual(await statuses(app, '/notes', 10), [200, 200])
    assert.deepEqual(await statuses(app, '/notes', 11), [413, 413])
    assert.deepEqual(await statuses(app, '/notes', 3000, 'DELETE'), [200, 200])
  })

  it('lets a URL in another spelling be redirected [PAGE-05]', async () => {
    const app = notes((module) =>
      module.controllers(NoteController).routes((routes) => {
        routes.post('/above', [NoteController, 'indexPost']).limits({ bodyBytes: 3000 })
      }),
    )

    assert.deepEqual(await statuses(app, '/NOTES/above', 2500), [308, 308])
    assert.deepEqual(await statuses(app, '/notes/Note/Large', 4000), [308, 308])
  })

  it('refuses an announced length before a byte of the body has come [PAGE-05]', async (t: TestContext) => {
    const app = notes((module) =>
      module.withoutConventionRouting().routes((routes) => {
        routes.post('/above', [NoteController, 'indexPost']).limits({ bodyBytes: 3000 })
        routes.post('/below', [NoteController, 'indexPost']).limits({ bodyBytes: 10 })
      }),
    )
    const server = await serve(app, { port: 0, signals: [] })
    t.after(() => server.close())
    const announced = async (path: string, length: number): Promise<number> => {
      const lines = [`POST ${path} HTTP/1.1`, 'Host: a', `Content-Length: ${length}`]
      return (await request(server.port, lines)).status
    }

    assert.equal(await announced('/notes/above', 3001), 413)
    assert.equal(await announced('/notes/below', 11), 413)
    const body = 'x'.repeat(3000)
    const lines = ['POST /notes/above HTTP/1.1', 'Host: a', 'Content-Length: 3000', 'Connection: close']
    assert.equal((await request(server.port, lines, body)).body, '3000 bytes')
  })

  it('is refused where the table of a controller is none [PAGE-05]', async () => {
    for (const table of [null, 5, 'index', () => undefined]) {
      class OddController extends Controller {
        static readonly actions = { index: [] }
        static readonly limits = table
        index() {}
      }
      await assert.rejects(
        notes((module) => module.controllers(OddController)).boot(),
        (error) =>
          error instanceof RoutingException &&
          /static limits is .*; it must be an object/.test(error.message),
      )
    }
  })

  it('is refused where it is declared wrongly [PAGE-05]', async () => {
    class UnknownController extends Controller {
      static readonly actions = { index: [] }
      static readonly limits = { other: { bodyBytes: 5 } }
      index() {}
    }
    class NegativeController extends Controller {
      static readonly actions = { index: [] }
      static readonly limits = { index: { bodyBytes: -5 } }
      index() {}
    }
    const boot = (controller: typeof UnknownController | typeof NegativeController): Promise<unknown> =>
      notes((module) => module.controllers(controller)).boot()

    await assert.rejects(
      boot(UnknownController),
      (error) => error instanceof RoutingException && /names "other"/.test(error.message),
    )
    await assert.rejects(boot(NegativeController), /NegativeController.*bodyBytes/)
    await assert.rejects(notes((module) => module.limits({ bodyBytes: 0 })).boot(), RangeError)
    await assert.rejects(
      notes((module) => Reflect.apply(module.limits, module, [{ bytes: 5 }])).boot(),
      TypeError,
    )
  })
})

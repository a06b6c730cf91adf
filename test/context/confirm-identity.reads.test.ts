import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { describe, it } from 'node:test'
import { App, Controller, defineModule, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import type { Middleware, Next } from 'sallyport/http'
import { serve } from 'sallyport/node'
import type { Actions } from 'sallyport/routing'
import { MemorySessionStore, SessionStore } from 'sallyport/session'

class User {}

const acted: string[] = []

class CountingStore extends MemorySessionStore {
  reads = 0
  /** From which read on it fails. Default: never. */
  fails = Infinity

  override read(id: string) {
    this.reads += 1
    if (this.reads >= this.fails) return Promise.reject(new Error('The store is gone'))
    return super.read(id)
  }
}

class ResolveUser implements Middleware {
  readonly #sessions = inject(SessionAuthentication)

  async process(context: HttpContext, next: Next): Promise<Response> {
    const identifier = await this.#sessions.identifier(context.session())
    if (identifier !== null) context.auth().authenticate(new User())
    return next()
  }
}

class DoorController extends Controller {
  static readonly actions = { inPost: [], notePost: [], plainPost: [] } satisfies Actions<DoorController>
  readonly #sessions = inject(SessionAuthentication)

  async inPost() {
    await this.#sessions.login(this.context.session(), this.context.auth(), '42', new User())
  }

  async notePost() {
    await this.context.form()
    acted.push('note')
  }

  plainPost() {
    acted.push('plain')
  }
}

/** What a form of a signed-in user, and one of somebody else, reads from the store. */
interface Reads {
  readonly signedIn: number
  readonly anonymous: number
}

// As browsers send a short form: the body in the packet of its head.
async function askOverSockets(asked: Request): Promise<Response> {
  const body = await asked.text()
  const headers = { ...Object.fromEntries(asked.headers), 'content-length': body.length }
  const outgoing = request(asked.url, { method: asked.method, headers, agent: false })
  outgoing.end(body)
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
  message.resume()
  const set = (message.headers['set-cookie'] ?? []).map((value): [string, string] => ['set-cookie', value])
  return new Response(null, { status: message.statusCode ?? 0, headers: set })
}

async function count(kind: 'serve' | 'fetch'): Promise<Reads> {
  const store = new CountingStore()
  const door = defineModule('Door', (module) => module.controllers(DoorController).middleware(ResolveUser))
  const app = App.create()
    .modules(door)
    .configure((definitions) => definitions.set(SessionStore, store))
  await app.boot()
  const server = await serve(app, { port: 0, host: '127.0.0.1' })
  try {
    const ask = kind === 'serve' ? askOverSockets : app.fetch.bind(app)
    const send = (path: string, cookie?: string): Promise<Response> =>
      ask(
        new Request(`${server.url}${path}`, {
          method: 'POST',
          body: 'text=a',
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            ...(cookie !== undefined && { cookie }),
          },
        }),
      )
    const [cookie] = (await send('/door/door/in')).headers.getSetCookie()
    const measure = async (held?: string): Promise<number> => {
      store.reads = 0
      assert.equal((await send('/door/door/note', held)).status, 204)
      return store.reads
    }
    return { signedIn: await measure(cookie?.split(';')[0]), anonymous: await measure() }
  } finally {
    await server.close()
  }
}

describe('a look at the session when the body has arrived', () => {
  it('costs nothing when the body came with its head [ACCT-02]', async () => {
    assert.deepEqual(await count('serve'), { signedIn: 1, anonymous: 0 })
  })

  it('costs one read where the host does not say whether the body has arrived [ACCT-02]', async () => {
    assert.deepEqual(await count('fetch'), { signedIn: 2, anonymous: 0 })
  })

  for (const path of ['/door/door/plain', '/door/door/note'])
    it(`refuses the request with a 503 when the store fails then: ${path} [ACCT-02]`, async () => {
      const store = new CountingStore()
      const door = defineModule('Door', (module) =>
        module.controllers(DoorController).middleware(ResolveUser),
      )
      const app = App.create()
        .modules(door)
        .configure((definitions) => definitions.set(SessionStore, store))
        .onError(() => undefined)
      const send = (to: string, cookie = ''): Promise<Response> =>
        app.fetch(
          new Request(`http://localhost${to}`, { method: 'POST', body: 'text=a', headers: { cookie } }),
        )
      const [cookie] = (await send('/door/door/in')).headers.getSetCookie()
      store.reads = 0
      store.fails = 2
      acted.length = 0

      const response = await send(path, cookie?.split(';')[0])

      assert.equal(response.status, 503)
      assert.deepEqual(acted, [])
    })
})

/**
 * A small application with a login, for tests of what its users see of a store.
 *
 * @module
 */
import { App, Controller, defineModule, inject } from '../../src/index.ts'
import { SessionAuthentication } from '../../src/auth/index.ts'
import { type Actions, param } from '../../src/routing/index.ts'
import { SessionPolicy, SessionStore } from '../../src/session/index.ts'
import { TestClient } from '../../src/testing/index.ts'

class AccountController extends Controller {
  static readonly actions = {
    open: [],
    show: [],
    loginPost: [param.string('name')],
    logoutPost: [],
    notePost: [param.string('key')],
  } satisfies Actions<AccountController>

  readonly #sessions = inject(SessionAuthentication)

  open(): string {
    return 'open'
  }

  async show(): Promise<object> {
    const session = this.context.session()
    const keys = Array.from({ length: 200 }, (_, i) => `note${i}`)
    const notes: string[] = []
    for (const key of keys) if (await session.has(key)) notes.push(key)
    return { name: await this.#sessions.identifier(session), notes }
  }

  async loginPost(name: string): Promise<null> {
    await this.#sessions.login(this.context.session(), this.context.auth(), name, { name })
    return null
  }

  async logoutPost(): Promise<null> {
    await this.#sessions.logout(this.context.session(), this.context.auth())
    return null
  }

  async notePost(key: string): Promise<null> {
    await this.context.session().set(key, 1)
    return null
  }
}

/** What the account page says. */
export interface Account {
  readonly name: string | null
  readonly notes: readonly string[]
}

/** A booted application over a store, whose errors somebody hears. */
export async function bootApplication(
  store: SessionStore,
  policy: SessionPolicy = new SessionPolicy(),
  listener: (error: unknown) => unknown = () => undefined,
): Promise<App> {
  const accounts = defineModule('Account', (module) =>
    module.mount('/').routes((routes) => {
      routes.get('/open', [AccountController, 'open'])
      routes.get('/account', [AccountController, 'show'])
      routes.post('/login/{name}', [AccountController, 'loginPost'])
      routes.post('/logout', [AccountController, 'logoutPost'])
      routes.post('/note/{key}', [AccountController, 'notePost'])
    }),
  )
  const app = App.create().modules(accounts)
  app.onError((error) => void listener(error))
  app.configure((definitions) => definitions.set(SessionStore, store).set(SessionPolicy, policy))
  return app.boot()
}

/** A browser that is signed in. */
export async function signIn(app: App, name: string): Promise<TestClient> {
  const client = new TestClient(app)
  const response = await client.post(`/login/${name}`)
  if (response.status !== 204) throw new Error(`Cannot sign in: ${response.status} ${await response.text()}`)
  return client
}

/** Who a browser is, and what it has noted. */
export async function accountOf(client: TestClient): Promise<Account> {
  const response = await client.get('/account')
  if (response.status !== 200) throw new Error(`The account page answers ${response.status}`)
  return (await response.json()) as Account
}

/**
 * A small application whose users see and end their sessions, for tests of `AccountSessions`.
 *
 * @module
 */
import { App, Clock, Controller, defineModule, inject } from 'sallyport'
import { AccountSessions, SessionAuthentication } from 'sallyport/auth'
import { type Actions, param } from 'sallyport/routing'
import { SessionPolicy, SessionStore } from 'sallyport/session'
import { TestClient } from 'sallyport/testing'

class SessionsController extends Controller {
  static readonly actions = {
    index: [],
    loginPost: [param.string('name'), param.string('device')],
    logoutPost: [],
    rotatePost: [],
    notePost: [],
    endPost: [param.string('handle')],
    endOthersPost: [],
    endAllPost: [],
    rotateAndEndOthersPost: [],
    failPost: [param.string('name')],
  } satisfies Actions<SessionsController>

  readonly #login = inject(SessionAuthentication)
  readonly #sessions = inject(AccountSessions)

  /** Who is signed in, and what the list of sessions says. */
  async index(): Promise<object> {
    const who = await this.#who()
    return { who, sessions: who === null ? [] : await this.#listed(who) }
  }

  async loginPost(name: string, device: string): Promise<null> {
    const { session, auth } = this.#parts()
    await this.#login.login(session, auth, name, { name }, [], { details: { device } })
    return null
  }

  async logoutPost(): Promise<null> {
    const { session, auth } = this.#parts()
    await this.#login.logout(session, auth)
    return null
  }

  async rotatePost(): Promise<null> {
    await this.#who()
    await this.context.session().regenerateId()
    return null
  }

  async notePost(): Promise<null> {
    await this.#who()
    await this.context.session().set('note', 1)
    return null
  }

  async endPost(handle: string): Promise<object> {
    return { ended: await this.#sessions.end((await this.#who()) ?? '', handle) }
  }

  async endOthersPost(): Promise<object> {
    return { ended: await this.#sessions.endOthers(this.context.session(), (await this.#who()) ?? '') }
  }

  async endAllPost(): Promise<object> {
    return { ended: await this.#sessions.endAll((await this.#who()) ?? '') }
  }

  async rotateAndEndOthersPost(): Promise<object> {
    await this.rotatePost()
    return this.endOthersPost()
  }

  /** A login whose response becomes an error. */
  async failPost(name: string): Promise<never> {
    await this.loginPost(name, 'none')
    throw new Error('This page fails')
  }

  async #listed(who: string): Promise<readonly Listed[]> {
    const sessions = await this.#sessions.list(who)
    return Promise.all(
      sessions.map(async (session) => ({
        handle: session.handle,
        startedAt: session.startedAt.toISOString(),
        lastUsedAt: session.lastUsedAt.toISOString(),
        details: session.details,
        isCurrent: await session.isCurrent(this.context.session()),
      })),
    )
  }

  #who(): Promise<string | null> {
    return this.#login.identifier(this.context.session())
  }

  #parts() {
    return { session: this.context.session(), auth: this.context.auth() }
  }
}

/** A session as the page lists it. */
export interface Listed {
  readonly handle: string
  readonly startedAt: string
  readonly lastUsedAt: string
  readonly details: Readonly<Record<string, unknown>>
  readonly isCurrent: boolean
}

/** Who a browser is, and what the list says. */
export interface Shown {
  readonly who: string | null
  readonly sessions: readonly Listed[]
}

/**
 * @param store Its store.
 * @param clock Its clock.
 * @param listener Receives unexpected errors. Default: nobody.
 * @returns The application, booted.
 */
export async function bootAccounts(
  store: SessionStore,
  clock: Clock,
  listener: (error: unknown) => unknown = () => undefined,
): Promise<App> {
  const accounts = defineModule('Account', (module) =>
    module.mount('/').routes((routes) => {
      routes.get('/', [SessionsController, 'index'])
      routes.post('/login/{name}/{device}', [SessionsController, 'loginPost'])
      routes.post('/logout', [SessionsController, 'logoutPost'])
      routes.post('/rotate', [SessionsController, 'rotatePost'])
      routes.post('/note', [SessionsController, 'notePost'])
      routes.post('/end/{handle}', [SessionsController, 'endPost'])
      routes.post('/end-others', [SessionsController, 'endOthersPost'])
      routes.post('/end-all', [SessionsController, 'endAllPost'])
      routes.post('/rotate-and-end-others', [SessionsController, 'rotateAndEndOthersPost'])
      routes.post('/fail/{name}', [SessionsController, 'failPost'])
    }),
  )
  const app = App.create().modules(accounts)
  app.onError((error) => void listener(error))
  const policy = new SessionPolicy()
  app.configure((definitions) =>
    definitions.set(SessionStore, store).set(SessionPolicy, policy).set(Clock, clock),
  )
  return app.boot()
}

/** A browser that is signed in. */
export async function signInOn(app: App, name: string, device: string): Promise<TestClient> {
  const client = new TestClient(app)
  await must(client, `/login/${name}/${device}`)
  return client
}

/** What the first page shows a browser. */
export async function shownTo(client: TestClient): Promise<Shown> {
  const response = await client.get('/')
  if (response.status !== 200)
    throw new Error(`The page answers ${response.status}: ${await response.text()}`)
  return (await response.json()) as Shown
}

/** Sends a form that must succeed, and gives what was answered. */
export async function must(client: TestClient, path: string): Promise<unknown> {
  const response = await client.post(path)
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
  return response.status === 204 ? null : response.json()
}

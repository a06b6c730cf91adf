/**
 * A small application with a password, a second factor and forms, for tests of the life of sessions and logins.
 *
 * An identifier is `name#serial`, with a serial of its own for each login: whoever answers to one after its logout has
 * come back from the dead, and not signed in again.
 *
 * @module
 */
import { App, Clock, Controller, defineModule, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { type Middleware, type Next, ServiceUnavailableException } from 'sallyport/http'
import { CsrfMiddleware } from 'sallyport/middleware'
import { type Actions, param } from 'sallyport/routing'
import { type Session, SessionPolicy, SessionStore } from 'sallyport/session'

/** Seconds that a pending login lives. */
export const PENDING_SECONDS = 300
/** Lifetimes of the sessions. Patient: what is tested is never how long a store takes. */
export const POLICY: SessionPolicy = new SessionPolicy({
  idleSeconds: 1800,
  absoluteSeconds: 5400,
  storeTimeoutMilliseconds: 20_000,
})
/** The account that needs a second factor; everybody else does not. */
export const WITH_FACTOR = 'ada'

/** What a page shows. */
export interface Shown {
  /** Identifier of whoever is signed in. */
  readonly who: string | null
  /** Identifier whose second factor is awaited. */
  readonly pending: string | null
  /** Keys that were noted, in order. */
  readonly notes: readonly number[]
  /** Messages for this page. */
  readonly flash: readonly string[]
}

/** What an accepted form answers. */
export interface Done {
  /** Who was signed in when the request came. */
  readonly as: string | null
}

// A fault of the turnstile, and a request that is older than what tells where its session went.
const EXPECTED = /^The store of the test has failed$|^Cannot follow the session: /

interface PendingLogin {
  readonly identifier: string
  readonly expires_at: number
}

class Person {
  readonly identifier: string

  constructor(identifier: string) {
    this.identifier = identifier
  }
}

class ResolvePerson implements Middleware {
  readonly #sessions = inject(SessionAuthentication)

  async process(context: HttpContext, next: Next): Promise<Response> {
    const identifier = await this.#sessions.identifier(context.session())
    if (identifier !== null) context.auth().authenticate(new Person(identifier))
    return next()
  }
}

class PageController extends Controller {
  static readonly actions = {
    show: [param.int('count')],
    notePost: [param.int('key')],
    forgetPost: [param.int('key')],
    flashPost: [],
    rotatePost: [],
    endPost: [],
    restartPost: [],
  } satisfies Actions<PageController>

  readonly #clock = inject(Clock)

  async show(count: number): Promise<Shown & { readonly token: string }> {
    const { context } = this
    const session = context.session()
    const pending = await pendingOf(session, this.#clock)
    const notes: number[] = []
    for (let key = 0; key < count; key++) if (await session.has(`note${key}`)) notes.push(key)
    const flash = (await context.flash().take()).map(({ text }) => text)
    const token = await context.csrf().token()
    return { who: whoIs(context), pending: pending?.identifier ?? null, notes, flash, token }
  }

  async notePost(key: number): Promise<Done> {
    await this.context.session().set(`note${key}`, 1)
    return { as: whoIs(this.context) }
  }

  async forgetPost(key: number): Promise<Done> {
    await this.context.session().remove(`note${key}`)
    return { as: whoIs(this.context) }
  }

  async flashPost(): Promise<Done> {
    await this.context.flash().add('notice', 'message')
    return { as: whoIs(this.context) }
  }

  async rotatePost(): Promise<Done> {
    await this.context.session().regenerateId()
    return { as: whoIs(this.context) }
  }

  async endPost(): Promise<Done> {
    await this.context.session().destroy()
    return { as: whoIs(this.context) }
  }

  async restartPost(): Promise<Done> {
    await this.context.session().destroy()
    await this.context.session().set('note0', 1)
    return { as: whoIs(this.context) }
  }
}

class LoginController extends Controller {
  static readonly actions = {
    passwordPost: [],
    codePost: [],
    logoutPost: [],
  } satisfies Actions<LoginController>

  readonly #sessions = inject(SessionAuthentication)
  readonly #clock = inject(Clock)

  async passwordPost(): Promise<Done | Response> {
    const { context } = this
    const form = await context.form()
    const identifier = form?.text('identifier') ?? ''
    if (context.auth().isAuthenticated()) return this.json(null, 409)
    if (form?.text('password') !== 'right') return this.json(null, 422)
    if (!identifier.startsWith(`${WITH_FACTOR}#`)) return this.#complete(identifier)

    await this.#sessions.logout(context.session(), context.auth())
    const pending = { identifier, expires_at: this.#clock.timestamp() + PENDING_SECONDS }
    await context.session().set('_2fa', pending)
    return { as: null }
  }

  async codePost(): Promise<Done | Response> {
    const { context } = this
    const pending = await pendingOf(context.session(), this.#clock)
    if (context.auth().isAuthenticated() || pending === null) {
      await context.session().remove('_2fa')
      return this.json(null, 409)
    }
    const form = await context.form()
    return form?.text('code') === 'right' ? this.#complete(pending.identifier) : this.json(null, 422)
  }

  async logoutPost(): Promise<Done> {
    const { context } = this
    const as = whoIs(context)
    await context.session().remove('_2fa')
    await this.#sessions.logout(context.session(), context.auth())
    return { as }
  }

  async #complete(identifier: string): Promise<Done> {
    const { context } = this
    // First remove, then log in: login() keeps unrelated data, and `_2fa` would be that.
    await context.session().remove('_2fa')
    await this.#sessions.login(context.session(), context.auth(), identifier, new Person(identifier))
    return { as: null }
  }
}

function whoIs(context: HttpContext): string | null {
  return context.auth().isAuthenticated() ? context.auth().principalAs(Person).identifier : null
}

async function pendingOf(session: Session, clock: Clock): Promise<PendingLogin | null> {
  const pending = await session.get<PendingLogin>('_2fa')
  const now = clock.timestamp()
  if (pending === undefined || now >= pending.expires_at) return null
  // The clock was set back: it would live longer than a challenge may.
  return pending.expires_at > now + PENDING_SECONDS ? null : pending
}

/**
 * @param store Where the sessions are kept.
 * @param clock Its clock.
 * @param faults Takes what no request should meet; the faults of the test are expected.
 * @returns The application, not booted.
 */
export function createApplication(store: SessionStore, clock: Clock, faults: unknown[] = []): App {
  const site = defineModule('Site', (module) =>
    module
      .mount('/')
      .middleware(ResolvePerson, CsrfMiddleware)
      .routes((routes) => {
        routes.get('/page/{count}', [PageController, 'show'])
        routes.post('/note/{key}', [PageController, 'notePost'])
        routes.post('/forget/{key}', [PageController, 'forgetPost'])
        for (const action of ['flash', 'rotate', 'end', 'restart'] as const)
          routes.post(`/${action}`, [PageController, `${action}Post`])
        for (const action of ['password', 'code', 'logout'] as const)
          routes.post(`/${action}`, [LoginController, `${action}Post`])
      }),
  )
  const app = App.create()
    .modules(site)
    .configure((definitions) =>
      definitions.set(SessionStore, store).set(Clock, clock).set(SessionPolicy, POLICY),
    )
  app.onError((error) => {
    const reason =
      error instanceof ServiceUnavailableException && error.cause instanceof Error ? error.cause : null
    if (reason === null || !EXPECTED.test(reason.message)) faults.push(error)
  })
  return app
}

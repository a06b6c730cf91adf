import { ignoreFailure, publish } from '../core/internal.ts'
import { Csrf } from '../csrf/index.ts'
import type { Session } from '../session/index.ts'
import { IDENTITY_KEY, isRequestSession, Refusal, refuseOrWarn, warnWhenLate } from '../session/internal.ts'
import type { Authentication } from './authentication.ts'
import {
  assertIsSession,
  assertParts,
  detailsText,
  grantedTo,
  keepsNewer,
  type LoginOptions,
  type LogoutOptions,
} from './login-arguments.ts'
import type { PermissionSet } from './permission-set.ts'

/**
 * Session lifecycle of an identity. The session keeps a reference, never the principal or its permissions.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule, inject } from 'sallyport'
 * import { SessionAuthentication } from 'sallyport/auth'
 * import { TestClient } from 'sallyport/testing'
 *
 * class User {}
 *
 * class SignInController extends Controller {
 *   static readonly actions = { passwordPost: [], codePost: [] }
 *   readonly #login = inject(SessionAuthentication)
 *
 *   // The password is right, and the account has a second factor: the user is not signed in yet.
 *   async passwordPost() {
 *     const session = this.context.session()
 *     await this.#login.logout(session, this.context.auth(), { keepNewer: true })
 *     await session.set('pending', '42')
 *   }
 *
 *   // The code is right. The account comes from the session, never from the form.
 *   async codePost() {
 *     const session = this.context.session()
 *     const identifier = await session.get<string>('pending')
 *     if (identifier === undefined) return this.text('Sign in with your password first', 422)
 *     await session.remove('pending')
 *     await this.#login.login(session, this.context.auth(), identifier, new User())
 *     return { signedIn: await this.#login.identifier(session) }
 *   }
 * }
 * const client = new TestClient(
 *   App.default().modules(defineModule('Site', (module) => module.controllers(SignInController))),
 * )
 *
 * assert.equal((await client.post('/site/sign-in/code')).status, 422)
 * await client.post('/site/sign-in/password')
 * assert.deepEqual(await (await client.post('/site/sign-in/code')).json(), { signedIn: '42' })
 * ```
 *
 * @see Clauses SESS-01 to SESS-17.
 */
export class SessionAuthentication {
  /** Refused in production if no session store is registered. @internal */
  static readonly usesSession: boolean = true

  /**
   * Establishes an identity on the session and on the current request.
   *
   * @param session Session of the request; its other entries are kept.
   * @param auth Authentication of the same request.
   * @param identifier Non-empty account reference, usually the user id.
   * @param principal The application's object; never stored.
   * @param permissions Non-empty names. Default: none.
   * @param options Details for `AccountSessions`. Default: none.
   * @throws {TypeError} If the identifier or a permission is empty, the principal is not an object, the session or
   * authentication is invalid, an option is unknown, or JSON would change the details; nothing is changed then.
   * @throws {RangeError} If the details are larger than 2048 bytes of JSON; nothing is changed then.
   * @throws {ServiceUnavailableException} If the session store fails.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule, inject } from 'sallyport'
   * import { PasswordHasher, SessionAuthentication } from 'sallyport/auth'
   * import { CsrfMiddleware } from 'sallyport/middleware'
   * import { TestClient } from 'sallyport/testing'
   *
   * class User {}
   * const accounts = new Map([
   *   ['ada', { user: new User(), hash: await new PasswordHasher().hash('right') }],
   * ])
   *
   * class LoginController extends Controller {
   *   static readonly actions = { index: [], indexPost: [] }
   *   readonly #hasher = inject(PasswordHasher)
   *   readonly #login = inject(SessionAuthentication)
   *
   *   async index() {
   *     return this.text(await this.context.csrf().token())
   *   }
   *
   *   async indexPost() {
   *     const form = await this.context.form()
   *     const account = accounts.get(form?.text('name') ?? '')
   *     const isRight = await this.#hasher.verify(form?.text('password') ?? '', account?.hash)
   *     if (account === undefined || !isRight) return this.text('Name or password is wrong', 422)
   *     await this.#login.login(this.context.session(), this.context.auth(), 'ada', account.user, [
   *       'orders.read',
   *     ])
   *     return this.redirect('/orders')
   *   }
   * }
   * const site = defineModule('Site', (module) =>
   *   module.middleware(CsrfMiddleware).controllers(LoginController),
   * )
   * const client = new TestClient(App.default().modules(site))
   * const token = await (await client.get('/site/login')).text()
   *
   * const form = { _csrf: token, name: 'ada', password: 'right' }
   * assert.equal((await client.post('/site/login', { form })).headers.get('location'), '/orders')
   * ```
   * @see OWASP ASVS 5.0, 7.2.4: a new session token on authentication.
   */
  login(
    session: Session,
    auth: Authentication,
    identifier: string,
    principal: object,
    permissions: Iterable<string> = [],
    options: LoginOptions = {},
  ): Promise<void> {
    let granted: PermissionSet
    let details: string
    try {
      assertParts(session, auth, 'log in')
      granted = grantedTo({ identifier, principal, permissions })
      details = detailsText(options)
    } catch (error) {
      return refuse(session, error)
    }
    // Rotate before writing: an id known to an attacker never carries the new identity.
    const changes = [
      () => rotate(session),
      // Removed, not overwritten: if the response becomes an error, neither the new nor the previous identity may remain.
      ...(isRequestSession(session)
        ? [() => session.describe(identifier, details), () => session.remove(IDENTITY_KEY)]
        : []),
      () => session.set(IDENTITY_KEY, identifier),
      () => new Csrf(session).dropSecret(),
    ]
    const begun = begin(session, changes)
    if (begun instanceof Refusal) return begun
    return warnWhenLate(this.#establish(begun, { session, auth, identifier, principal, granted }))
  }

  async #establish(
    changes: Promise<unknown>,
    { session, auth, identifier, principal, granted }: Establishment,
  ): Promise<void> {
    let isReported = false
    let isWithdrawn = false
    const isOurs = isRequestSession(session)
    const report = (survived: boolean): void => {
      isReported = survived && !isWithdrawn
      if (isReported) publish('login', { identifier })
    }
    if (isOurs) {
      session.whenConfirmed(report)
      session.whenWithdrawn(() => {
        isWithdrawn = true
        auth.clear()
        if (isReported) publish('logout', { identifier })
      })
    }
    await changes
    try {
      if (!isWithdrawn) auth.authenticate(principal, granted)
    } catch (error) {
      // A session implemented by the application has refused: the request must not be half signed in.
      isWithdrawn = true
      await session.remove(IDENTITY_KEY)
      throw error
    }
    // A session implemented by the application confirms nothing.
    if (!isOurs) report(true)
  }

  /**
   * Reads the account reference. Without a session cookie it accesses no storage and sends no cookie.
   *
   * @param session Session of the request.
   * @returns The reference that `login()` stored; null when there is none.
   * @throws {TypeError} If the session is invalid.
   * @throws {ServiceUnavailableException} If the session store fails.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule, type HttpContext, inject } from 'sallyport'
   * import { SessionAuthentication } from 'sallyport/auth'
   * import type { Middleware, Next } from 'sallyport/http'
   * import { TestClient } from 'sallyport/testing'
   *
   * class User {}
   * const users = new Map([['42', new User()]])
   *
   * // Before each page: look up the signed-in user, who may have been deleted since.
   * class ResolveUser implements Middleware<HttpContext> {
   *   readonly #login = inject(SessionAuthentication)
   *
   *   async process(context: HttpContext, next: Next): Promise<Response> {
   *     const identifier = await this.#login.identifier(context.session())
   *     const user = identifier === null ? undefined : users.get(identifier)
   *     if (user !== undefined) context.auth().authenticate(user)
   *     return next()
   *   }
   * }
   * class HomeController extends Controller {
   *   static readonly actions = { index: [] }
   *   index() {
   *     return { isSignedIn: this.context.auth().isAuthenticated() }
   *   }
   * }
   * const site = defineModule('Site', (module) =>
   *   module.middleware(ResolveUser).controllers(HomeController),
   * )
   *
   * const home = await new TestClient(App.default().modules(site)).get('/site/home')
   * assert.deepEqual(await home.json(), { isSignedIn: false })
   * ```
   */
  identifier(session: Session): Promise<string | null> {
    try {
      assertIsSession(session, 'read an identity')
    } catch (error) {
      return refuse(session, error)
    }
    return ignoreFailure(this.#identifier(session))
  }

  async #identifier(session: Session): Promise<string | null> {
    const identifier = await session.get(IDENTITY_KEY)
    return typeof identifier === 'string' && identifier !== '' ? identifier : null
  }

  /**
   * Asks what became of an identifier that ended a moment ago. The session of such a request is empty and keeps nothing, not even a
   * message, so a page that expects an entry of it can only say so itself. The store forgets an ended identifier after 30 seconds.
   *
   * `renewed`: the session goes on with a new identifier, which the browser has not got. The response was lost, or a second click on a
   * button cancelled its request. `ended`: the session is over.
   *
   * @param session Session of the request.
   * @returns What became of it; null if it has not ended lately, and for a session implemented by the application.
   * @throws {TypeError} If the session is invalid.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  endOf(session: Session): Promise<'renewed' | 'ended' | null> {
    try {
      assertIsSession(session, 'look at its identifier')
    } catch (error) {
      return refuse(session, error)
    }
    return ignoreFailure(this.#endOf(session))
  }

  async #endOf(session: Session): Promise<'renewed' | 'ended' | null> {
    if (!isRequestSession(session)) return null
    await session.has(IDENTITY_KEY)
    if (!session.isEnded) return null
    return session.isRenewed ? 'renewed' : 'ended'
  }

  /**
   * Ends an identity: removes the reference and the CSRF secret, and rotates the id. Other entries are kept: carts, flash
   * messages, and also a pending second factor, which the application removes itself.
   *
   * Also an identity ends that another request of the browser has established since this one read the session, unless the
   * options say otherwise.
   *
   * @param session Session of the request.
   * @param auth Authentication of the same request.
   * @param options Whether a newer identity stays. Default: it does not.
   * @throws {TypeError} If the session or authentication is invalid, or an option is unknown or of the wrong type; nothing is
   * changed then.
   * @throws {ServiceUnavailableException} If the session store fails.
   * @example
   * ```ts
   * import assert from 'node:assert/strict'
   * import { App, Controller, defineModule, inject } from 'sallyport'
   * import { SessionAuthentication } from 'sallyport/auth'
   * import { TestClient } from 'sallyport/testing'
   *
   * class LogoutController extends Controller {
   *   static readonly actions = { indexPost: [] }
   *   readonly #login = inject(SessionAuthentication)
   *
   *   async indexPost() {
   *     await this.#login.logout(this.context.session(), this.context.auth())
   *     return this.redirect('/')
   *   }
   * }
   * const site = defineModule('Site', (module) => module.controllers(LogoutController))
   *
   * const response = await new TestClient(App.default().modules(site)).post('/site/logout')
   * assert.equal(response.status, 303)
   * ```
   */
  logout(session: Session, auth: Authentication, options: LogoutOptions = {}): Promise<void> {
    let keepNewer: boolean
    try {
      assertParts(session, auth, 'log out')
      keepNewer = keepsNewer(options)
    } catch (error) {
      return refuse(session, error)
    }
    const identifier = this.identifier(session)
    const csrf = new Csrf(session)
    const removals =
      keepNewer && isRequestSession(session)
        ? [() => session.removeUnlessNewer(IDENTITY_KEY), () => csrf.dropSecretUnlessNewer()]
        : [() => session.remove(IDENTITY_KEY), () => csrf.dropSecret()]
    const ended = begin(session, [() => identifier, ...removals])
    if (ended instanceof Refusal) return ended
    const rotated = begin(session, [() => ended, () => rotate(session)])
    return warnWhenLate(this.#end({ session, auth, identifier, ended, rotated }))
  }

  async #end({ session, auth, identifier, ended, rotated }: Ending): Promise<void> {
    const isOurs = isRequestSession(session)
    const report = async (): Promise<void> => publish('logout', { identifier: await identifier })
    if (isOurs) session.whenConfirmed(() => void ignoreFailure(report()))
    await ended
    auth.clear()
    await rotated
    if (!isOurs) await report()
  }
}

interface Establishment {
  readonly session: Session
  readonly auth: Authentication
  readonly identifier: string
  readonly principal: object
  readonly granted: PermissionSet
}

interface Ending {
  readonly session: Session
  readonly auth: Authentication
  readonly identifier: Promise<string | null>
  readonly ended: Promise<unknown>
  readonly rotated: Promise<unknown>
}

// Restarts the absolute lifetime: the session now belongs to another account, or to none.
function rotate(session: Session): Promise<void> {
  if (isRequestSession(session)) session.renew()
  return session.regenerateId()
}

/**
 * Applies changes to a session in order. A session of the framework records all of them synchronously: even when the promise
 * is not awaited, they are part of the request, and a response made in between must not lose half of them. For a session
 * implemented by the application, each change is awaited.
 */
function begin(session: Session, changes: readonly (() => Promise<unknown>)[]): Promise<unknown> {
  if (!isRequestSession(session)) return ignoreFailure(oneByOne(changes))
  const begun = changes.map((change) => change())
  const refusal = begun.find((promise) => promise instanceof Refusal)
  if (refusal === undefined) return ignoreFailure(Promise.all(begun))
  for (const promise of begun) if (promise !== refusal) void ignoreFailure(promise)
  return refusal
}

async function oneByOne(changes: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const change of changes) await change()
}

// Code that awaits the promise gets the error; otherwise the response becomes the error.
function refuse(session: Session, error: unknown): Promise<never> {
  return isRequestSession(session) ? session.refuse(error) : refuseOrWarn(error)
}

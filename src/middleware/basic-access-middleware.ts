import { assertOptions, declarationError, isEqualConstantTime, shown } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { type Next, ParameterizedMiddleware, UnauthorizedException } from '../http/index.ts'

/** Options of a {@link BasicAccessMiddleware}. */
export interface BasicAccessOptions {
  /** The accepted name; not empty, without a colon. */
  readonly username: string
  /** The accepted password; not empty. */
  readonly password: string
  /** The realm that the browser shows; may be empty. */
  readonly realm: string
}

// RFC 9110 section 5.6.4: the characters of a quoted string, without obs-text.
const REALM = /^[\t\u0020-\u007e]*$/

/**
 * Protects a part of the site with one name and one password (HTTP Basic). It never establishes an identity. Use it over HTTPS
 * only. Pages behind it that change state need CSRF protection as well.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App } from 'sallyport'
 * import { BasicAccessMiddleware } from 'sallyport/middleware'
 * import { TestClient } from 'sallyport/testing'
 *
 * const preview = new BasicAccessMiddleware({
 *   username: 'preview',
 *   password: 'long and random',
 *   realm: 'Preview',
 * })
 * const app = App.default()
 * app.middleware().incoming(preview)
 *
 * const headers = { authorization: `Basic ${btoa('preview:long and random')}` }
 * assert.equal((await new TestClient(app).get('/')).status, 401)
 * assert.equal((await new TestClient(app).get('/', { headers })).status, 404)
 * ```
 *
 * @see RFC 7617; clauses BASIC-01 to BASIC-14.
 */
export class BasicAccessMiddleware extends ParameterizedMiddleware {
  readonly #username: string
  readonly #password: string
  readonly #challenge: string

  /**
   * @param options Name, password and realm.
   * @throws {TypeError} If name or password is empty or not a string, the name has a colon, or an option is unknown.
   * @throws {RangeError} If the realm is not a string, or has a character that a header cannot hold.
   */
  constructor(options: BasicAccessOptions) {
    super()
    assertOptions(options, ['username', 'password', 'realm'], 'a BasicAccessMiddleware')
    const { username, password, realm } = options
    if (typeof username !== 'string' || username === '')
      throw declarationError(`Cannot gate with ${shown(username)} as the username: give a non-empty string`)
    assertPassword(password)
    if (username.includes(':'))
      throw new TypeError('Cannot gate with a username that has a colon: no client could send it')
    if (typeof realm !== 'string')
      throw declarationError(`Cannot gate with ${shown(realm)} as the realm: give a string`, RangeError)
    if (!REALM.test(realm)) {
      throw new RangeError('Cannot use that realm: it has a character that a header cannot hold')
    }
    this.#username = username
    this.#password = password
    this.#challenge = `Basic realm="${realm.replace(/["\\]/g, '\\$&')}", charset="UTF-8"`
  }

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {UnauthorizedException} If the credentials are missing or wrong.
   */
  process(context: HttpContext, next: Next): Promise<Response> {
    const sent = context.authorization()
    // Both are compared, even without credentials, so that the time does not reveal which one was wrong.
    const knowsName = isEqualConstantTime(sent?.username ?? '', this.#username)
    const knowsPassword = isEqualConstantTime(sent?.password ?? '', this.#password)
    if (!(knowsName && knowsPassword)) throw new UnauthorizedException(this.#challenge)
    return next()
  }
}

// The password is a secret, whatever its type.
function assertPassword(password: unknown): void {
  if (typeof password === 'string' && password !== '') return
  const given =
    password === ''
      ? 'an empty password'
      : password === undefined || password === null
        ? `${String(password)} as the password`
        : `a password of type ${typeof password}`
  throw declarationError(`Cannot gate with ${given}: give a non-empty string`)
}

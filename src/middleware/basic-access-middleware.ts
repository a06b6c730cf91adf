import { assertOptions, declarationError, isEqualConstantTime, shown } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import { type Next, ParameterizedMiddleware, UnauthorizedException } from '../http/index.ts'
import { HashedCredential, type PasswordVerifier } from './hashed-credential.ts'

/** Options of a {@link BasicAccessMiddleware}: the password itself, or its hash and a hasher. */
export type BasicAccessOptions = PlainAccess | HashedAccess

interface Gate {
  /** The accepted name; not empty, without a colon. */
  readonly username: string
  /** The realm that the browser shows; may be empty. */
  readonly realm: string
}

interface PlainAccess extends Gate {
  /** The accepted password; not empty. */
  readonly password: string
  readonly passwordHash?: never
  readonly hasher?: never
}

interface HashedAccess extends Gate {
  /** The hash of the accepted password, as `PasswordHasher.hash()` gives it. */
  readonly passwordHash: string
  /** A `PasswordHasher`, which verifies the hash. Its queue limits how many hashes are computed at a time. */
  readonly hasher: PasswordVerifier
  readonly password?: never
}

type Judge = (username: string, password: string, context: HttpContext) => boolean | Promise<boolean>

// RFC 9110 section 5.6.4: the characters of a quoted string, without obs-text.
const REALM = /^[\t\u0020-\u007e]*$/
const NAMES: readonly string[] = ['username', 'password', 'passwordHash', 'hasher', 'realm']

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
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App } from 'sallyport'
 * import { PasswordHasher } from 'sallyport/auth'
 * import { BasicAccessMiddleware } from 'sallyport/middleware'
 * import { TestClient } from 'sallyport/testing'
 *
 * // With `passwordHash` and `hasher` in the place of `password`, no configuration holds the password.
 * const hasher = new PasswordHasher()
 * const passwordHash = await hasher.hash('long and random')
 * const app = App.default()
 * app
 *   .middleware()
 *   .incoming(new BasicAccessMiddleware({ username: 'ops', passwordHash, hasher, realm: 'Operations' }))
 *
 * const headers = { authorization: `Basic ${btoa('ops:long and random')}` }
 * assert.equal((await new TestClient(app).get('/', { headers })).status, 404)
 * ```
 *
 * @see RFC 7617; clauses BASIC-01 to BASIC-14.
 */
export class BasicAccessMiddleware extends ParameterizedMiddleware {
  readonly #judge: Judge
  readonly #challenge: string

  /**
   * @param options Name, password and realm; or the hash of the password and a hasher in the place of the password.
   * @throws {TypeError} If name or password is empty or not a string, the name has a colon, the hash is none, the hasher cannot
   * verify, or an option is unknown.
   * @throws {RangeError} If the realm is not a string, or has a character that a header cannot hold.
   */
  constructor(options: BasicAccessOptions) {
    super()
    assertOptions(options, NAMES, 'a BasicAccessMiddleware')
    const { username, realm } = options
    if (typeof username !== 'string' || username === '')
      throw declarationError(`Cannot use ${shown(username)} as the username: it must be a non-empty string`)
    if (username.includes(':'))
      throw new TypeError('Cannot use a username with a colon: no client could send it')
    if (typeof realm !== 'string')
      throw declarationError(`Cannot use ${shown(realm)} as the realm: it must be a string`, RangeError)
    if (!REALM.test(realm)) {
      throw new RangeError('Cannot use that realm: it contains a character that a header cannot')
    }
    this.#judge = options.passwordHash === undefined ? judgeOfText(options) : judgeOfHash(options)
    this.#challenge = `Basic realm="${realm.replace(/["\\]/g, '\\$&')}", charset="UTF-8"`
  }

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {UnauthorizedException} If the credentials are missing or wrong.
   * @throws {TooManyRequestsException} If a hash would have to be computed, and there were too many wrong passwords.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash.
   */
  process(context: HttpContext, next: Next): Promise<Response> {
    const sent = context.authorization()
    const isRight = this.#judge(sent?.username ?? '', sent?.password ?? '', context)
    if (isRight instanceof Promise) return isRight.then((isIt) => this.#pass(isIt, next))
    return this.#pass(isRight, next)
  }

  #pass(isRight: boolean, next: Next): Promise<Response> {
    if (!isRight) throw new UnauthorizedException(this.#challenge)
    return next()
  }
}

function judgeOfText({ username, password }: PlainAccess): Judge {
  assertPassword(password)
  return (givenName, givenPassword) => {
    // Both are compared, even without credentials, so that the time does not reveal which one was wrong.
    const knowsName = isEqualConstantTime(givenName, username)
    const knowsPassword = isEqualConstantTime(givenPassword, password)
    return knowsName && knowsPassword
  }
}

function judgeOfHash({ username, password, passwordHash, hasher }: HashedAccess): Judge {
  if (password !== undefined)
    throw declarationError('Cannot use a password and its hash together: pass one of them')
  // The formats of hashes begin with it, and a password that is given by mistake seldom does. It is a secret in both cases.
  if (typeof passwordHash !== 'string' || !passwordHash.startsWith('$'))
    throw declarationError('Cannot use that passwordHash: it must come from PasswordHasher.hash()')
  if (typeof (hasher as Partial<PasswordVerifier> | null | undefined)?.verify !== 'function')
    throw declarationError(`Cannot use ${shown(hasher)} as the hasher: pass a PasswordHasher`)
  const credential = new HashedCredential({ username, hash: passwordHash }, hasher)
  return (givenName, givenPassword, context) => {
    // A request without credentials costs no hash.
    if (givenName === '' || givenPassword === '') return false
    const client = context.clientAddress()
    return credential.matches({ username: givenName, password: givenPassword, client })
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
  throw declarationError(`Cannot use ${given}: it must be a non-empty string`)
}

import { assertMilliseconds, assertOptions, declarationError, shown } from '../core/internal.ts'

/** Options of a {@link SessionPolicy}. */
export interface SessionPolicyOptions {
  /**
   * Seconds without a request after which a session ends. It may end up to a minute, or a tenth of this time if that is
   * shorter, too early. Default: 7200 (two hours).
   */
  readonly idleSeconds?: number
  /**
   * Seconds after which a session ends however busy it is, counted from its creation or its last `login()` or
   * `logout()`. Default: 43200 (twelve hours).
   */
  readonly absoluteSeconds?: number
  /**
   * Name of the cookie, without the prefix that HTTPS adds. Two areas that share a store need two names: a session of one
   * does not exist in the other. Default: `sid`, then the port unless the scheme implies it, then the base path: `sid-3000`,
   * `sid_apps_accounts`. So applications of one host do not overwrite each other's.
   */
  readonly cookieName?: string
  /**
   * Name under which the store keeps the sessions. Give it where the same sessions have cookies of several names. Default:
   * the `cookieName`, or `sid`.
   */
  readonly area?: string
  /** When the cookie is sent with requests from other sites. Default: `lax`. */
  readonly sameSite?: 'lax' | 'strict'
  /** Maximum size of all entries together, in bytes of JSON. Default: 65536. */
  readonly maxBytes?: number
  /**
   * Time limit for one call of the store, in milliseconds; after it the request is a 503. It holds for every store; those of
   * the framework have shorter limits of their own. At most 2,147,483,647. Default: 5000.
   */
  readonly storeTimeoutMilliseconds?: number
}

/** Name of the session cookie unless the policy has another. */
export const DEFAULT_COOKIE_NAME = 'sid'

const NAMES: readonly string[] = [
  'idleSeconds',
  'absoluteSeconds',
  'cookieName',
  'area',
  'sameSite',
  'maxBytes',
  'storeTimeoutMilliseconds',
]

// The expiry is extended at most this often, so that reading a session hardly ever writes.
const ROLLING_MILLISECONDS = 60_000

/**
 * Lifetimes and cookie of sessions. The defaults follow OWASP ASVS 5.0, 7.3: two hours idle, twelve hours in total.
 * `login()` and `logout()` restart the absolute lifetime; `regenerateId()` does not.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App } from 'sallyport'
 * import { SessionPolicy } from 'sallyport/session'
 *
 * const policy = new SessionPolicy({ idleSeconds: 900, absoluteSeconds: 8 * 3600, sameSite: 'strict' })
 * const app = await App.default()
 *   .configure((definitions) => definitions.set(SessionPolicy, policy))
 *   .boot()
 *
 * assert.equal(app.get(SessionPolicy).cookieNameAt('https://app.example'), '__Host-sid')
 * ```
 */
export class SessionPolicy {
  /** Refused in production if no session store is registered. @internal */
  static readonly usesSession: boolean = true
  /** Its state is private: no other object can take its place. @internal */
  static readonly isIrreplaceable: boolean = true

  /** Milliseconds without a request after which a session ends. */
  readonly idleMilliseconds: number
  /** Milliseconds after which a session ends however busy it is. */
  readonly absoluteMilliseconds: number
  /**
   * Precision of lifetimes in milliseconds: a minute, or a tenth of the idle time if that is shorter. A session may end that
   * much too early, and clocks may differ by that much.
   * @internal
   */
  readonly precisionMilliseconds: number
  /** The `SameSite` attribute. */
  readonly sameSite: 'lax' | 'strict'
  /** Maximum size of all entries together, in bytes of JSON. */
  readonly maxBytes: number
  /** Time limit for one call of the store, in milliseconds. */
  readonly storeTimeoutMilliseconds: number
  readonly #options: SessionPolicyOptions
  readonly #basePath: string
  // Nearly all requests of a server name the same origin.
  #lastName = { origin: '', name: '' }

  /**
   * @param options Lifetimes and cookie; the defaults are those of each option.
   * @param basePath The base path of the application, for the name of the cookie; the application passes it. Default: none.
   * @throws {RangeError} If a lifetime, size or time limit is not a positive number, or the idle one exceeds the absolute one.
   * @throws {TypeError} If the cookie name or the area has other characters than letters, digits, `_` and `-`, `sameSite` is neither
   * `lax` nor `strict`, or an option is unknown.
   */
  constructor(options: SessionPolicyOptions = {}, basePath = '') {
    assertOptions(options, NAMES, 'a SessionPolicy')
    const {
      idleSeconds = 7200,
      absoluteSeconds = 43_200,
      cookieName = DEFAULT_COOKIE_NAME,
      sameSite = 'lax',
      maxBytes = 65_536,
      storeTimeoutMilliseconds = 5000,
    } = options
    const numbers = { idleSeconds, absoluteSeconds, maxBytes }
    for (const [name, value] of Object.entries(numbers)) {
      if (!Number.isFinite(value) || value <= 0)
        throw declarationError(
          `Cannot use ${shown(value)} as ${name}: it must be a number above 0`,
          RangeError,
        )
    }
    assertMilliseconds(storeTimeoutMilliseconds, 'storeTimeoutMilliseconds')
    if (idleSeconds > absoluteSeconds) {
      throw declarationError(
        `Cannot use idleSeconds ${idleSeconds}: it is longer than absoluteSeconds ${absoluteSeconds}`,
        RangeError,
      )
    }
    for (const name of [cookieName, options.area ?? cookieName])
      if (typeof name !== 'string' || !/^[A-Za-z0-9_-]+$/.test(name))
        throw declarationError(
          `Cannot name the session cookie or its area ${shown(name)}: use letters, digits, "_" and "-"`,
        )
    if (sameSite !== 'lax' && sameSite !== 'strict')
      throw declarationError(`Cannot use ${shown(sameSite)} as sameSite: it must be "lax" or "strict"`)
    this.#options = { ...options }
    this.#basePath = basePath
    this.idleMilliseconds = idleSeconds * 1000
    this.absoluteMilliseconds = absoluteSeconds * 1000
    this.precisionMilliseconds = Math.min(ROLLING_MILLISECONDS, this.idleMilliseconds / 10)
    this.sameSite = sameSite
    this.maxBytes = maxBytes
    this.storeTimeoutMilliseconds = storeTimeoutMilliseconds
  }

  /**
   * Browsers send the cookies of a host to all its ports and paths.
   *
   * @param origin Origin of a request, as `context.origin()` has it.
   * @returns Name of the cookie there: the option; without it, a name of that port and the base path. Over HTTPS with the prefix
   * `__Host-`: only this host, only over HTTPS, path `/` also below a base path.
   */
  cookieNameAt(origin: string): string {
    if (origin === '' || origin !== this.#lastName.origin) {
      const prefix = origin.startsWith('https:') ? '__Host-' : ''
      const own = this.#options.cookieName ?? DEFAULT_COOKIE_NAME + placeOf(origin, this.#basePath)
      this.#lastName = { origin, name: prefix + own }
    }
    return this.#lastName.name
  }

  /**
   * Keeps sessions apart in a store: the option, or the name of the cookie as the options have it, wherever the application is.
   * @internal
   */
  get area(): string {
    return this.#options.area ?? this.#options.cookieName ?? DEFAULT_COOKIE_NAME
  }

  /**
   * @param basePath The base path of the application; empty for none.
   * @returns The policy of an application below that path: with a cookie of its own, unless the options name one. What a
   * store keeps is the same for both, so that code which has this policy finds the sessions of the application.
   * @internal
   */
  below(basePath: string): SessionPolicy {
    return basePath === '' ? this : new SessionPolicy(this.#options, basePath)
  }

  /**
   * @param createdAt When the absolute lifetime began, in Unix milliseconds; a time in the future counts as now.
   * @param now Current time in Unix milliseconds.
   * @returns When a session used now expires, in Unix milliseconds.
   * @internal
   */
  expiryAt(createdAt: number, now: number): number {
    return Math.min(now + this.idleMilliseconds, createdAt + this.absoluteMilliseconds)
  }

  /**
   * @param expiresAt Stored expiry in Unix milliseconds.
   * @param fresh Expiry if the record were written now.
   * @returns Whether the difference is worth a write; also when the stored expiry is too late because the clock was set back.
   * @internal
   */
  isWorthRolling(expiresAt: number, fresh: number): boolean {
    return Math.abs(fresh - expiresAt) >= this.precisionMilliseconds
  }
}

// "-3000_apps_accounts": no segment of a base path has an underscore, so that no two places give one name.
function placeOf(origin: string, basePath: string): string {
  const [port = ''] = /:\d+$/.exec(origin) ?? []
  return port.replace(':', '-') + basePath.replaceAll('/', '_')
}

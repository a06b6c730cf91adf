import { stringifySetCookie } from 'cookie'
import { assertOptions, declarationError, sentence, shown } from '../core/internal.ts'
import { asUnsendable } from './unsendable.ts'

/** Attributes of a cookie that is set. */
export interface CookieOptions {
  /** Lifetime in whole seconds. Default: until the browser closes. */
  readonly maxAgeSeconds?: number
  /** Path prefix. Default: the base path of the application, `/` without one and for `__Host-` names. */
  readonly path?: string
  /** Domain that may also read it. Default: this host only. */
  readonly domain?: string
  /** Whether scripts cannot read it. Default: true. */
  readonly httpOnly?: boolean
  /** Whether it is sent over HTTPS only. Default: true when the request came over HTTPS. */
  readonly secure?: boolean
  /** When it is sent with requests from other sites; `none` needs `Secure`. Default: `lax`. */
  readonly sameSite?: 'strict' | 'lax' | 'none'
  /** Whether each site that embeds this one has its own copy (CHIPS); needs `Secure`. Default: false. */
  readonly partitioned?: boolean
}

const NO_OPTIONS: CookieOptions = Object.freeze({})
const NAMES: readonly string[] = [
  'maxAgeSeconds',
  'path',
  'domain',
  'httpOnly',
  'secure',
  'sameSite',
  'partitioned',
]
const HOST_PREFIX = /^__host-/i
const SAME_SITES: readonly unknown[] = ['strict', 'lax', 'none', undefined]

/**
 * Cookies of one request, and the cookies that its response sets.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, Controller, defineModule } from 'sallyport'
 * import { TestClient } from 'sallyport/testing'
 *
 * class ConsentController extends Controller {
 *   static readonly actions = { index: [], givePost: [] }
 *
 *   index() {
 *     return { given: this.context.cookies().get('consent') === 'yes' }
 *   }
 *
 *   givePost() {
 *     this.context.cookies().set('consent', 'yes', { maxAgeSeconds: 31_536_000 })
 *   }
 * }
 * const client = new TestClient(
 *   App.default().modules(defineModule('Site', (module) => module.controllers(ConsentController))),
 * )
 *
 * await client.post('/site/consent/give')
 * assert.deepEqual(await (await client.get('/site/consent')).json(), { given: true })
 * ```
 *
 * @see RFC 6265
 */
export class Cookies {
  #header: string | null
  readonly #secure: boolean
  readonly #path: string
  #set: Map<string, string> | null = null
  #isSealed = false

  /**
   * @param header Value of the `Cookie` header; null when none was sent.
   * @param secure Whether the request came over HTTPS.
   * @param path The path that cookies get that are set without one. Default: `/`.
   */
  constructor(header: string | null, secure: boolean, path = '/') {
    this.#header = header
    this.#secure = secure
    this.#path = path
  }

  /**
   * Reads from another header from now on. Cookies that were set stay set.
   *
   * @param header Value of the `Cookie` header; null when there is none.
   * @internal
   */
  readFrom(header: string | null): void {
    this.#header = header
  }

  /**
   * Reads a cookie of the request. Names are compared byte for byte.
   *
   * @param name Name of the cookie.
   * @returns Its value without quotes, decoded as `set()` encodes it, or as sent when its percent-encoding is malformed.
   * Undefined when the cookie is missing or was sent more than once, because it is then ambiguous.
   */
  get(name: string): string | undefined {
    const value = this.#header === null ? undefined : findCookie(this.#header, name)
    return value === undefined || !value.includes('%') ? value : decode(value)
  }

  /**
   * Sets a cookie with the response.
   *
   * @param name Name; `__Host-`, `__Secure-` and `__Http-` names must follow the rules of their prefix.
   * @param value Value; characters that a cookie cannot hold are percent-encoded.
   * @param options Attributes.
   * @throws {TypeError} If the name, path, domain, lifetime or another option is invalid or unknown, the value is not a
   * string or has a lone surrogate, the name or an option needs `Secure`, a prefix rule is broken, or the cookie is over
   * 4096 bytes. No cookie is set then.
   * @throws {Error} If the response has already been made.
   */
  set(name: string, value: string, options: CookieOptions = NO_OPTIONS): void {
    assertText(name, value)
    if (this.#isSealed) throw new Error(sentence`Cannot set the cookie "${name}": the response has been made`)
    if (options !== NO_OPTIONS) assertCookieOptions(name, options)
    const secure = options.secure ?? this.#secure
    assertBrowsersKeep(name, secure, options)
    if (!value.isWellFormed())
      throw asUnsendable(
        new TypeError(sentence`Cannot set the cookie "${name}": its value contains a lone surrogate`),
      )
    const path = options.path ?? (HOST_PREFIX.test(name) ? '/' : this.#path)
    const line = stringifySetCookie({
      name,
      value,
      path,
      httpOnly: options.httpOnly ?? true,
      secure,
      sameSite: options.sameSite ?? 'lax',
      partitioned: options.partitioned ?? false,
      ...(options.maxAgeSeconds === undefined ? {} : { maxAge: options.maxAgeSeconds }),
      ...(options.domain === undefined ? {} : { domain: options.domain }),
    })
    if (line.length > 4096)
      throw asUnsendable(new TypeError(sentence`Cannot set the cookie "${name}": it is over 4096 bytes`))
    this.#set ??= new Map()
    // One of each partition: a browser that has both keeps them apart.
    const partition = options.partitioned === true ? ';partitioned' : ''
    this.#set.set(`${name};${options.domain ?? ''};${path}${partition}`, line)
  }

  /**
   * Deletes a cookie in the browser.
   *
   * @param name Name of the cookie.
   * @param options Attributes it was set with.
   * @throws {TypeError} If the name or an option is invalid.
   * @throws {Error} If the response has already been made.
   */
  delete(name: string, options: CookieOptions = NO_OPTIONS): void {
    assertOptions(options, NAMES, 'a cookie')
    this.set(name, '', { ...options, maxAgeSeconds: 0 })
  }

  /** Refuses further cookies: the response has been made. @internal */
  seal(): void {
    this.#isSealed = true
  }

  /**
   * @returns One `Set-Cookie` value for each cookie that the response sets, in the order of setting.
   * @internal
   */
  setCookieLines(): Iterable<string> {
    return this.#set === null ? [] : this.#set.values()
  }
}

/**
 * Finds one cookie in a `Cookie` header without parsing the others.
 *
 * @param header Value of the header.
 * @param name Name of the cookie, compared byte for byte.
 * @returns The value, without surrounding quotes; undefined when the cookie is missing or was sent more than once.
 */
export function findCookie(header: string, name: string): string | undefined {
  const first = nextCookie(header, name, 0)
  if (first === -1) return undefined
  const start = first + name.length + 1
  const semicolon = header.indexOf(';', start)
  if (semicolon !== -1 && nextCookie(header, name, semicolon) !== -1) return undefined
  return valueBetween(header, start, semicolon)
}

/**
 * Finds all cookies of one name in a `Cookie` header.
 *
 * @param header Value of the header.
 * @param name Name of the cookies, compared byte for byte.
 * @returns Their values in the order they were sent, without surrounding quotes.
 */
export function findCookies(header: string, name: string): readonly string[] {
  const values: string[] = []
  let at = nextCookie(header, name, 0)
  while (at !== -1) {
    const start = at + name.length + 1
    const semicolon = header.indexOf(';', start)
    values.push(valueBetween(header, start, semicolon))
    at = semicolon === -1 ? -1 : nextCookie(header, name, semicolon)
  }
  return values
}

function valueBetween(header: string, start: number, semicolon: number): string {
  let end = semicolon === -1 ? header.length : semicolon
  // A loop: an expression anchored at the end would scan each run of blanks again from each of its characters. The equals
  // sign before the value ends the run.
  while (isBlank(header.charCodeAt(end - 1))) end--
  const value = header.slice(start, end)
  return value.length > 1 && value.startsWith('"') && value.endsWith('"') ? value.slice(1, -1) : value
}

// Position of the next `name=` at the start of a pair, from `position` on; -1 when there is none.
function nextCookie(header: string, name: string, position: number): number {
  for (let at = header.indexOf(name, position); at !== -1; at = header.indexOf(name, at + 1)) {
    if (header.charCodeAt(at + name.length) !== 61) continue
    let before = at - 1
    while (before >= 0 && isBlank(header.charCodeAt(before))) before--
    if (before < 0 || header.charCodeAt(before) === 59) return at
  }
  return -1
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function assertText(name: unknown, value: unknown): void {
  if (typeof name !== 'string' || name === '')
    throw declarationError(
      sentence`Cannot set a cookie with the name ${shown(name)}: it must be a non-empty string`,
    )
  // The value may be a secret.
  if (typeof value !== 'string') {
    const given =
      value === undefined || value === null ? String(value) : sentence`a value of type ${typeof value}`
    throw declarationError(
      sentence`Cannot set the cookie ${shown(name)} to ${given}: the value must be a string`,
    )
  }
}

// A misspelled attribute would leave the cookie unprotected, so unknown options are refused instead of ignored.
function assertCookieOptions(name: string, options: CookieOptions): void {
  assertOptions(options, NAMES, 'a cookie')
  const { maxAgeSeconds, path, domain, httpOnly, secure, sameSite, partitioned } = options
  const refuse = (option: string, given: unknown, advice: string): TypeError =>
    declarationError(
      sentence`Cannot set the cookie ${shown(name)} with ${shown(given)} as ${option}: ${advice}`,
    )
  if (maxAgeSeconds !== undefined && !Number.isSafeInteger(maxAgeSeconds))
    throw refuse('maxAgeSeconds', maxAgeSeconds, sentence`it must be a whole number`)
  if (!SAME_SITES.includes(sameSite))
    throw refuse('sameSite', sameSite, sentence`it must be "lax", "strict" or "none"`)
  for (const [option, given] of Object.entries({ path, domain }))
    if (given !== undefined && typeof given !== 'string')
      throw refuse(option, given, sentence`it must be a string`)
  for (const [option, given] of Object.entries({ httpOnly, secure, partitioned }))
    if (given !== undefined && typeof given !== 'boolean')
      throw refuse(option, given, sentence`it must be true or false`)
}

// Browsers drop without a word what is refused here. They recognize the prefixes in any letter case.
function assertBrowsersKeep(name: string, secure: boolean, options: CookieOptions): void {
  const isCrossSite = options.sameSite === 'none' || options.partitioned === true
  if (!secure && (isCrossSite || /^__(?:host|secure|http)-/i.test(name))) {
    const reason = isCrossSite
      ? sentence`: "sameSite: none" and "partitioned" need HTTPS, or the option "secure"`
      : ''
    throw new TypeError(sentence`Cannot set the cookie "${name}" without Secure${reason}`)
  }
  if (/^__(?:host-)?http-/i.test(name) && options.httpOnly === false)
    throw new TypeError(sentence`Cannot set the cookie "${name}" without HttpOnly`)
  if (HOST_PREFIX.test(name) && (options.domain !== undefined || (options.path ?? '/') !== '/')) {
    throw new TypeError(sentence`Cannot set the cookie "${name}" with a domain or a path other than "/"`)
  }
}

import type { HttpContext } from '../context/index.ts'
import { assertBoolean, assertOptions, declarationError, sentence, shown } from '../core/internal.ts'
import type { LightResponse } from '../http/internal.ts'

/** How long browsers contact a host over HTTPS only. @see RFC 6797 */
export interface StrictTransportSecurity {
  /** Whole seconds; with 0 browsers forget it. Default: 31536000, one year. */
  readonly maxAgeSeconds?: number
  /** Whether it includes all subdomains. Default: false. */
  readonly includeSubDomains?: boolean
  /** Whether browsers may ship with it; revoking that takes months. Default: false. */
  readonly preload?: boolean
}

/** Options of {@link SecurityHeaders}. */
export interface SecurityHeadersOptions {
  /**
   * Directives of the content security policy by name. They are merged over the defaults; null removes one. False sends no
   * policy. Default: resources and forms of this origin only, no plugins, no frames.
   */
  readonly contentSecurityPolicy?: Readonly<Record<string, string | null>> | false
  /**
   * Value of `Referrer-Policy`; false sends none. Not `no-referrer` together with `CsrfMiddleware`: browsers then hide the
   * origin of this application's own forms. Default: `same-origin`.
   */
  readonly referrerPolicy?: string | false
  /** Value of `X-Frame-Options`; false sends none. Default: `DENY`. */
  readonly frameOptions?: 'DENY' | 'SAMEORIGIN' | false
  /** `Strict-Transport-Security`, sent over HTTPS only; false sends none. Default: one year, this host only. */
  readonly strictTransportSecurity?: StrictTransportSecurity | false
  /**
   * Value of `Cross-Origin-Opener-Policy`; false sends none. A page that opens a payment or sign-in window of another origin
   * and communicates with it needs `same-origin-allow-popups`. Default: `same-origin`.
   */
  readonly crossOriginOpenerPolicy?:
    | 'same-origin'
    | 'same-origin-allow-popups'
    | 'noopener-allow-popups'
    | false
  /** Whether `Origin-Agent-Cluster: ?1` separates pages of sibling hosts. Default: true. */
  readonly originAgentCluster?: boolean
}

const DEFAULT_POLICY: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
  'script-src': "'self'",
}

// The grammars of all these headers are ASCII. Values are checked once, not with each response.
const PRINTABLE = /^[\u0020-\u007e]*$/
const DIRECTIVE = /^[a-z]+(?:-[a-z0-9]+)*$/
// A semicolon starts another directive.
const VALUE = /^[\u0020-\u003a\u003c-\u007e]*$/
const OPENER_POLICIES: readonly string[] = [
  'same-origin',
  'same-origin-allow-popups',
  'noopener-allow-popups',
]
const NAMES: readonly string[] = [
  'contentSecurityPolicy',
  'referrerPolicy',
  'frameOptions',
  'strictTransportSecurity',
  'crossOriginOpenerPolicy',
  'originAgentCluster',
]
const POLICY = 'content-security-policy'
const ONE_YEAR_SECONDS = 31_536_000
// What every response carries, also a refusal before any application code runs: names and values in turn.
const OF_ALL: readonly string[] = ['x-content-type-options', 'nosniff']
// The usual content type of the framework itself, compared before the expression is used.
const PAGE = 'text/html; charset=utf-8'
const NO_PAGE: ReadonlySet<string> = new Set(['application/json; charset=utf-8', 'text/plain; charset=utf-8'])
// Documents in which browsers run scripts: HTML and all XML types (WHATWG MIME Sniffing, 4.6). A header that was sent twice
// is a list, of which browsers use the last part.
const DOCUMENT = /(?:^|,)\s*(?:text\/html|text\/xsl|(?:text|application)\/xml|[^\s;,]+\+xml)\s*(?:[;,]|$)/i

/**
 * Headers against content sniffing, framing and leaks. Each is set only if the response has no header of that name. Documents
 * (HTML, XHTML, SVG and other XML) get all of them. Every response gets `X-Content-Type-Options` and, over HTTPS,
 * `Strict-Transport-Security`.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App, SecurityHeaders } from 'sallyport'
 * import { TestClient } from 'sallyport/testing'
 *
 * const headers = new SecurityHeaders({
 *   contentSecurityPolicy: { 'img-src': "'self' https://images.test" },
 *   frameOptions: 'SAMEORIGIN',
 * })
 * const app = App.default().configure((definitions) => definitions.set(SecurityHeaders, headers))
 *
 * const response = await new TestClient(app).get('/')
 * assert.equal(response.headers.get('x-frame-options'), 'SAMEORIGIN')
 * ```
 *
 * @see OWASP HTTP Headers Cheat Sheet.
 */
export class SecurityHeaders {
  /** Its state is private: no other object can take its place. @internal */
  static readonly isIrreplaceable: boolean = true

  readonly #directives: ReadonlyMap<string, string>
  readonly #policy: string | null
  readonly #strictTransport: string | null
  /** Alternating names and values for documents, without the policy. */
  readonly #ofDocuments: readonly string[]

  /**
   * @param options Options that differ from the defaults.
   * @throws {TypeError} If an option has the wrong type or is unknown, or a value is not printable ASCII.
   * @throws {RangeError} If the time of `Strict-Transport-Security` is not an integer from 0 on, or too short for the preload
   * list.
   */
  constructor(options: SecurityHeadersOptions = {}) {
    assertOptions(options, NAMES, 'SecurityHeaders')
    const { contentSecurityPolicy = {}, referrerPolicy = 'same-origin', frameOptions = 'DENY' } = options
    const { crossOriginOpenerPolicy = 'same-origin', originAgentCluster = true } = options
    this.#directives = directivesOf(contentSecurityPolicy)
    this.#policy = contentSecurityPolicy === false ? null : join(this.#directives)
    this.#strictTransport = strictTransportOf(
      options.strictTransportSecurity === undefined ? {} : options.strictTransportSecurity,
    )
    const constants: readonly (readonly [name: string, given: unknown, known?: readonly string[]])[] = [
      ['referrer-policy', referrerPolicy],
      ['x-frame-options', frameOptions, ['DENY', 'SAMEORIGIN']],
      ['cross-origin-opener-policy', crossOriginOpenerPolicy, OPENER_POLICIES],
      ['origin-agent-cluster', assertBoolean(originAgentCluster, 'originAgentCluster') ? '?1' : false],
    ]
    this.#ofDocuments = constants.flatMap(([name, given, known]) =>
      given === false ? [] : [name, valueOf(name, given, known)],
    )
  }

  /**
   * @param response Receives the headers.
   * @param context Context of the request.
   * @internal
   */
  apply(response: LightResponse, context: HttpContext): void {
    applyToEvery(response)
    if (this.#strictTransport !== null && context.isSecure())
      response.setConstant('strict-transport-security', this.#strictTransport)
    if (!isDocument(response)) return
    const policy = this.#policyFor(context)
    if (policy !== null) response.setConstant(POLICY, policy)
    setLines(response, this.#ofDocuments)
  }

  /**
   * Adds the nonce to the policy of a document that had it before an outgoing middleware asked for the nonce.
   *
   * @param response The response.
   * @param context Context of the request.
   * @internal
   */
  addNonce(response: LightResponse, context: HttpContext): void {
    if (context.openedNonce() === null || this.#policy === null) return
    if (response.header(POLICY) !== this.#policy) return
    response.headers.set(POLICY, this.#policyFor(context) ?? this.#policy)
  }

  /**
   * @param isSecure Whether the client's connection is HTTPS.
   * @returns Alternating names and values: the headers of every response, for responses that no application has made.
   * @internal
   */
  linesOfRefusal(isSecure: boolean): readonly string[] {
    if (!isSecure || this.#strictTransport === null) return OF_ALL
    return [...OF_ALL, 'strict-transport-security', this.#strictTransport]
  }

  /**
   * @param middleware A middleware, a class or an instance.
   * @throws {TypeError} If it compares the origin of forms, and browsers hide it because of the referrer policy.
   * @see Fetch, "append a request Origin header".
   * @internal
   */
  assertShowsOrigin(middleware: object): void {
    const type = typeof middleware === 'function' ? middleware : middleware.constructor
    const at = this.#ofDocuments.indexOf('referrer-policy')
    // Browsers use the last part of a list.
    if (at === -1 || !/(?:^|,)\s*no-referrer\s*$/i.test(this.#ofDocuments[at + 1] ?? '')) return
    if (!('comparesOrigin' in type) || type.comparesOrigin !== true) return
    throw declarationError(
      sentence`Cannot use the referrer policy "no-referrer" with ${type.name}: browsers then send "Origin: null" with the forms of this application, and over plain HTTP nothing else tells where they come from; use "same-origin"`,
    )
  }

  #policyFor(context: HttpContext): string | null {
    const nonce = context.openedNonce()
    if (nonce === null || this.#policy === null) return this.#policy
    const sources = this.#directives.get('script-src') ?? "'self'"
    return join(new Map([...this.#directives, ['script-src', `${sources} 'nonce-${nonce}'`]]))
  }
}

/**
 * Sets the headers that no option removes, where the response has none of that name.
 *
 * @param response The response.
 */
export function applyToEvery(response: LightResponse): void {
  setLines(response, OF_ALL)
}

function setLines(response: LightResponse, lines: readonly string[]): void {
  for (let i = 0; i < lines.length; i += 2) response.setConstant(lines[i] ?? '', lines[i + 1] ?? '')
}

/**
 * @param response A response.
 * @returns Whether a browser shows it as a document that can run scripts.
 */
export function isDocument(response: LightResponse): boolean {
  const type = response.header('content-type')
  return type !== null && (type === PAGE || (!NO_PAGE.has(type) && DOCUMENT.test(type)))
}

// Reported at boot, not with the first page.
function valueOf(name: string, given: unknown, known?: readonly string[]): string {
  const isKnown = typeof given === 'string' && given !== '' && known?.includes(given) !== false
  if (isKnown && PRINTABLE.test(given)) return given
  const advice = known === undefined ? sentence`printable ASCII` : known.map((each) => `"${each}"`).join(', ')
  throw declarationError(sentence`Cannot send ${shown(given)} in the header ${name}: use ${advice}, or false`)
}

function directivesOf(given: SecurityHeadersOptions['contentSecurityPolicy']): ReadonlyMap<string, string> {
  const directives = new Map(Object.entries(DEFAULT_POLICY))
  if (given === false) return directives
  const policy: unknown = given
  if (typeof policy !== 'object' || policy === null || Array.isArray(policy) || policy instanceof Promise)
    throw declarationError(
      sentence`Cannot use ${shown(policy)} as a content security policy: pass an object with directives by name`,
    )
  const entries: [string, unknown][] = Object.entries(policy)
  for (const [name, value] of entries) {
    if (value === null) directives.delete(name)
    else if (DIRECTIVE.test(name) && typeof value === 'string' && VALUE.test(value))
      directives.set(name, value)
    else {
      const directive = `${shown(name)}: ${shown(value)}`
      throw declarationError(
        sentence`Cannot send the directive ${directive} in a content security policy: its sources must be a string of printable ASCII, or null`,
      )
    }
  }
  return directives
}

function strictTransportOf(given: StrictTransportSecurity | false): string | null {
  if (given === false) return null
  assertOptions(given, ['maxAgeSeconds', 'includeSubDomains', 'preload'], 'strictTransportSecurity')
  const { maxAgeSeconds = ONE_YEAR_SECONDS, includeSubDomains = false, preload = false } = given
  assertBoolean(includeSubDomains, 'includeSubDomains')
  assertBoolean(preload, 'preload')
  if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 0)
    throw declarationError(
      sentence`Cannot use ${shown(maxAgeSeconds)} as maxAgeSeconds of Strict-Transport-Security: it must be a whole number, 0 or more`,
      RangeError,
    )
  if (preload && (!includeSubDomains || maxAgeSeconds < ONE_YEAR_SECONDS))
    throw declarationError(
      sentence`Cannot preload Strict-Transport-Security: this requires at least one year and all subdomains`,
      RangeError,
    )
  const parts = [`max-age=${maxAgeSeconds}`]
  if (includeSubDomains) parts.push('includeSubDomains')
  if (preload) parts.push('preload')
  return parts.join('; ')
}

function join(directives: ReadonlyMap<string, string>): string {
  return [...directives].map(([name, value]) => `${name} ${value}`.trim()).join('; ')
}

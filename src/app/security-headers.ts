import type { HttpContext } from '../context/index.ts'
import type { LightResponse } from '../http/index.ts'

/** For how long browsers ask a host by HTTPS only. @see RFC 6797 */
export interface StrictTransportSecurity {
  /** Whole seconds; 0 has browsers forget it. Default: 31536000, one year. */
  readonly maxAgeSeconds?: number
  /** Whether it holds for all hosts below this one. Default: false. */
  readonly includeSubDomains?: boolean
  /** Whether browsers may be delivered with it: it then cannot be taken back for months. Default: false. */
  readonly preload?: boolean
}

/** Options of {@link SecurityHeaders}. */
export interface SecurityHeadersOptions {
  /**
   * Directives of the content security policy, by name; they are merged over the defaults, and a value of null takes
   * one away. False: no policy. Default: everything from this origin only, no plugins, no frames, no foreign forms.
   */
  readonly contentSecurityPolicy?: Readonly<Record<string, string | null>> | false
  /** Value of `Referrer-Policy`; false: none. Default: `same-origin`. */
  readonly referrerPolicy?: string | false
  /** Value of `X-Frame-Options`; false: none. Default: `DENY`. */
  readonly frameOptions?: 'DENY' | 'SAMEORIGIN' | false
  /** `Strict-Transport-Security`, sent over HTTPS only; false: none. Default: one year, this host alone. */
  readonly strictTransportSecurity?: StrictTransportSecurity | false
  /**
   * Value of `Cross-Origin-Opener-Policy`; false: none. A page that opens a payment or sign-in window of another origin
   * and talks to it needs `same-origin-allow-popups`. Default: `same-origin`.
   */
  readonly crossOriginOpenerPolicy?:
    | 'same-origin'
    | 'same-origin-allow-popups'
    | 'noopener-allow-popups'
    | false
  /** Whether `Origin-Agent-Cluster: ?1` keeps pages of sibling hosts apart. Default: true. */
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

// The grammars of all these headers are ASCII. What is checked here is not checked again with each response.
const PRINTABLE = /^[\u0020-\u007e]*$/
const ONE_YEAR_SECONDS = 31_536_000
const NO_SNIFF: readonly [string, string] = ['x-content-type-options', 'nosniff']
// What the framework itself writes nearly always, compared before anything is searched.
const PAGE = 'text/html; charset=utf-8'
const NO_PAGE: ReadonlySet<string> = new Set(['application/json; charset=utf-8', 'text/plain; charset=utf-8'])
// What a browser shows as a document that can run scripts: HTML, and all that is XML (WHATWG MIME Sniffing, 4.6). A header
// that was sent twice is a list, and browsers take its last part.
const DOCUMENT = /(?:^|,)\s*(?:text\/html|text\/xsl|(?:text|application)\/xml|[^\s;,]+\+xml)\s*(?:[;,]|$)/i

/**
 * Headers that keep browsers from guessing, framing and leaking. Each is set only where the response has none of that
 * name: documents (HTML, XHTML, SVG and other XML) carry all of them, every response carries `X-Content-Type-Options`
 * and, over HTTPS, `Strict-Transport-Security`.
 *
 * @see OWASP HTTP Headers Cheat Sheet.
 */
export class SecurityHeaders {
  readonly #directives: ReadonlyMap<string, string>
  readonly #policy: string | null
  readonly #strictTransport: string | null
  /** Names and values by turns, for documents; the policy aside. */
  readonly #ofDocuments: readonly string[]

  /**
   * @param options What differs from the defaults.
   * @throws {TypeError} If a value holds anything but printable ASCII.
   * @throws {RangeError} If the time of `Strict-Transport-Security` is not a whole number of seconds from 0 on, or too
   * short for a preload list.
   */
  constructor(options: SecurityHeadersOptions = {}) {
    const { contentSecurityPolicy = {}, referrerPolicy = 'same-origin', frameOptions = 'DENY' } = options
    const { crossOriginOpenerPolicy = 'same-origin', originAgentCluster = true } = options
    this.#directives = directivesOf(contentSecurityPolicy)
    this.#policy = contentSecurityPolicy === false ? null : join(this.#directives)
    this.#strictTransport = strictTransportOf(options.strictTransportSecurity ?? {})
    const constants: readonly (readonly [string, string | false])[] = [
      ['referrer-policy', referrerPolicy],
      ['x-frame-options', frameOptions],
      ['cross-origin-opener-policy', crossOriginOpenerPolicy],
      ['origin-agent-cluster', originAgentCluster ? '?1' : false],
    ]
    this.#ofDocuments = constants.flatMap(([name, value]) => (value === false ? [] : [name, value]))
    // Reported at boot, not with the first page.
    for (const value of [this.#policy ?? '', ...this.#ofDocuments]) {
      if (!PRINTABLE.test(value)) throw new TypeError(`Cannot send ${JSON.stringify(value)} in a header`)
    }
  }

  /**
   * @param response Takes the headers.
   * @param context Context of the request.
   */
  apply(response: LightResponse, context: HttpContext): void {
    response.setConstant(NO_SNIFF[0], NO_SNIFF[1])
    if (this.#strictTransport !== null && context.isSecure())
      response.setConstant('strict-transport-security', this.#strictTransport)
    const type = response.header('content-type')
    if (type === null || !isDocument(type)) return
    const policy = this.#policyFor(context)
    if (policy !== null) response.setConstant('content-security-policy', policy)
    const lines = this.#ofDocuments
    for (let i = 0; i < lines.length; i += 2) response.setConstant(lines[i] ?? '', lines[i + 1] ?? '')
  }

  /**
   * @param isSecure Whether the client's connection is HTTPS.
   * @returns Names and values by turns: what every response carries, for an answer that no application has made.
   */
  linesOfRefusal(isSecure: boolean): readonly string[] {
    if (!isSecure || this.#strictTransport === null) return NO_SNIFF
    return [...NO_SNIFF, 'strict-transport-security', this.#strictTransport]
  }

  #policyFor(context: HttpContext): string | null {
    const nonce = context.openedNonce()
    if (nonce === null || this.#policy === null) return this.#policy
    const sources = this.#directives.get('script-src') ?? "'self'"
    return join(new Map([...this.#directives, ['script-src', `${sources} 'nonce-${nonce}'`]]))
  }
}

function isDocument(type: string): boolean {
  return type === PAGE || (!NO_PAGE.has(type) && DOCUMENT.test(type))
}

function directivesOf(given: Readonly<Record<string, string | null>> | false): ReadonlyMap<string, string> {
  const directives = new Map(Object.entries(DEFAULT_POLICY))
  for (const [name, value] of Object.entries(given === false ? {} : given)) {
    if (value === null) directives.delete(name)
    else directives.set(name, value)
  }
  return directives
}

function strictTransportOf(given: StrictTransportSecurity | false): string | null {
  if (given === false) return null
  const { maxAgeSeconds = ONE_YEAR_SECONDS, includeSubDomains = false, preload = false } = given
  if (!Number.isSafeInteger(maxAgeSeconds) || maxAgeSeconds < 0)
    throw new RangeError(`Cannot send ${maxAgeSeconds} as the time of Strict-Transport-Security`)
  if (preload && (!includeSubDomains || maxAgeSeconds < ONE_YEAR_SECONDS))
    throw new RangeError('Cannot preload Strict-Transport-Security: it takes a year and all subdomains')
  const parts = [`max-age=${maxAgeSeconds}`]
  if (includeSubDomains) parts.push('includeSubDomains')
  if (preload) parts.push('preload')
  return parts.join('; ')
}

function join(directives: ReadonlyMap<string, string>): string {
  return [...directives].map(([name, value]) => `${name} ${value}`.trim()).join('; ')
}

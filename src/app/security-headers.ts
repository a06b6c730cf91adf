import type { HttpContext } from '../context/index.ts'
import { isHeaderValue, type LightResponse } from '../http/index.ts'

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
}

const DEFAULT_POLICY: Readonly<Record<string, string>> = {
  'default-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
  'script-src': "'self'",
}

/**
 * Headers that keep browsers from guessing, framing and leaking. Each is set only where the response has none of that
 * name: pages carry all of them, every response carries `X-Content-Type-Options`.
 *
 * @see OWASP HTTP Headers Cheat Sheet.
 */
export class SecurityHeaders {
  readonly #directives: ReadonlyMap<string, string>
  readonly #policy: string | null
  readonly #referrerPolicy: string | null
  readonly #frameOptions: string | null

  /**
   * @param options What differs from the defaults.
   * @throws {TypeError} If a value cannot stand in a header.
   */
  constructor(options: SecurityHeadersOptions = {}) {
    const { contentSecurityPolicy = {}, referrerPolicy = 'same-origin', frameOptions = 'DENY' } = options
    const directives = new Map(Object.entries(DEFAULT_POLICY))
    if (contentSecurityPolicy !== false) {
      for (const [name, value] of Object.entries(contentSecurityPolicy)) {
        if (value === null) directives.delete(name)
        else directives.set(name, value)
      }
    }
    this.#directives = directives
    this.#policy = contentSecurityPolicy === false ? null : join(directives)
    this.#referrerPolicy = referrerPolicy === false ? null : referrerPolicy
    this.#frameOptions = frameOptions === false ? null : frameOptions
    // Told at boot, not with the first page.
    const bad = [this.#policy, this.#referrerPolicy, this.#frameOptions].find(
      (value) => value !== null && !isHeaderValue(value),
    )
    if (bad !== undefined) throw new TypeError(`Cannot send ${JSON.stringify(bad)} in a header`)
  }

  /**
   * @param response Takes the headers.
   * @param context Context of the request.
   */
  apply(response: LightResponse, context: HttpContext): void {
    response.setConstant('x-content-type-options', 'nosniff')
    const type = response.header('content-type')
    if (type === null || !type.startsWith('text/html')) return
    const policy = this.#policyFor(context)
    if (policy !== null) response.setDefault('content-security-policy', policy)
    if (this.#referrerPolicy !== null) response.setDefault('referrer-policy', this.#referrerPolicy)
    if (this.#frameOptions !== null) response.setConstant('x-frame-options', this.#frameOptions)
  }

  #policyFor(context: HttpContext): string | null {
    const nonce = context.openedNonce()
    if (nonce === null || this.#policy === null) return this.#policy
    const sources = this.#directives.get('script-src') ?? "'self'"
    return join(new Map([...this.#directives, ['script-src', `${sources} 'nonce-${nonce}'`]]))
  }
}

function join(directives: ReadonlyMap<string, string>): string {
  return [...directives].map(([name, value]) => `${name} ${value}`.trim()).join('; ')
}

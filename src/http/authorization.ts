// RFC 6750 section 2.1: a Bearer token is a b64token.
const BEARER_TOKEN = /^[A-Za-z0-9\-._~+/]+=*$/
// RFC 4648 section 4, strict: whole groups, the right padding, no other character.
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const CONTROL = /\p{Cc}/u

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Credentials of an `Authorization` header. They are parsed only; checking them is up to the application.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { Authorization } from 'sallyport/http'
 *
 * const sent = Authorization.parse('Bearer eyJhbGciOi')
 *
 * assert.deepEqual([sent?.scheme, sent?.token], ['bearer', 'eyJhbGciOi'])
 * assert.equal(Authorization.parse('Digest username="ada"'), null)
 * ```
 *
 * @see RFC 7617 (Basic), RFC 6750 (Bearer); clauses CRED-01 to CRED-08.
 */
export class Authorization {
  /** The scheme, in lower case. */
  readonly scheme: 'basic' | 'bearer'
  /** Name before the first colon; Basic only. */
  declare readonly username?: string
  /** What follows the first colon; Basic only. */
  declare readonly password?: string
  /** The token exactly as sent; Bearer only. */
  declare readonly token?: string

  private constructor(
    scheme: 'basic' | 'bearer',
    parts: { username?: string; password?: string; token?: string },
  ) {
    this.scheme = scheme
    // Not enumerable: inspecting or serializing a context must not show credentials.
    for (const [name, value] of Object.entries(parts)) {
      Object.defineProperty(this, name, { value, enumerable: false })
    }
  }

  /**
   * Parses the value of an `Authorization` header.
   *
   * @param header Value of the header; null when it was not sent.
   * @returns The credentials; null when absent, malformed, sent twice or of another scheme.
   */
  static parse(header: string | null): Authorization | null {
    if (header === null) return null
    const space = header.indexOf(' ')
    if (space === -1) return null
    const scheme = header.slice(0, space).toLowerCase()
    const credentials = header.slice(space).replace(/^ +/, '')
    if (scheme === 'bearer') {
      return BEARER_TOKEN.test(credentials) ? new Authorization('bearer', { token: credentials }) : null
    }
    const basic = scheme === 'basic' ? parseBasic(credentials) : undefined
    return basic === undefined ? null : new Authorization('basic', basic)
  }
}

function parseBasic(credentials: string): { username: string; password: string } | undefined {
  if (!BASE64.test(credentials)) return undefined
  const text = decodeUtf8(Buffer.from(credentials, 'base64'))
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon === -1 || CONTROL.test(text)) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

import { isIP } from 'node:net'

/** Whether an authenticator verifies its user, by a PIN, a fingerprint or a face (WebAuthn Level 3, 5.8.6). */
export type UserVerification = 'required' | 'preferred' | 'discouraged'

/** The site as its users know it. */
export interface WebAuthnSite {
  /** Its name. Authenticators may show it. */
  readonly name: string
  /**
   * Scheme, host and port of its pages. It is a setting and never taken from a request: a false site that passes responses on could name
   * itself in the `Host` header.
   *
   * @returns The origin; undefined where none is known.
   */
  readonly origin: () => string | undefined
}

/** The site as authenticators know it. */
export interface RelyingParty {
  /** Domain that passkeys are bound to. */
  readonly id: string
  /** The only origin whose responses count. */
  readonly origin: string
}

/**
 * Passkeys are bound to names: `localhost` stands for the addresses of this machine, and browsers offer none elsewhere without HTTPS.
 *
 * @param origin Scheme, host and port; undefined for none.
 * @returns The site; undefined where browsers offer no passkeys.
 */
export function relyingParty(origin: string | undefined): RelyingParty | undefined {
  const url = URL.parse(origin ?? '')
  if (url !== null && isLoopback(url.hostname)) url.hostname = 'localhost'
  if (url === null || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
  if (url.protocol !== 'https:' && !isLocalName(url.hostname)) return undefined
  return { id: url.hostname, origin: url.origin }
}

function isLoopback(host: string): boolean {
  return host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

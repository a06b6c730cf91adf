import { isIP } from 'node:net'
import { inject } from 'sallyport'
import { Settings } from '../../core/settings.ts'

/** The site as authenticators know it. */
export interface RelyingPartyName {
  /** Domain that passkeys are bound to. */
  readonly id: string
  /** Scheme, host and port: the only origin whose responses count. */
  readonly origin: string
}

/**
 * The site that passkeys are registered with. It is a setting and never taken from a request: a false site that passes
 * responses on could name itself in the Host header.
 */
export class RelyingParty {
  readonly #origin = inject(Settings).origin

  /** @returns The site; undefined where browsers offer no passkeys: without an origin, or with an address in place of a name. */
  name(): RelyingPartyName | undefined {
    const url = URL.parse(this.#origin() ?? '')
    // Passkeys are bound to names. A development server that listens on this machine is reached by this one, too.
    if (url !== null && isLoopback(url.hostname)) url.hostname = 'localhost'
    if (url === null || isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) return undefined
    if (url.protocol !== 'https:' && !isLocalName(url.hostname)) return undefined
    return { id: url.hostname, origin: url.origin }
  }
}

function isLoopback(host: string): boolean {
  return host === '[::1]' || /^127(\.\d+){3}$/.test(host)
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

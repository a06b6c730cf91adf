import { BlockList, isIP } from 'node:net'

/** Which header a proxy writes: `X-Forwarded-For`, `-Proto` and `-Host`, or RFC 7239's `Forwarded`. */
export type ForwardingHeader = 'x-forwarded' | 'forwarded'

/** The proxies whose word about the client is taken. */
export interface TrustedProxiesOptions {
  /** Addresses and networks, such as `127.0.0.1`, `10.0.0.0/8` or `fd00::/8`. */
  readonly addresses: readonly string[]
  /** The one header that they write; they must drop or overwrite what clients send in it. Default: `x-forwarded`. */
  readonly header?: ForwardingHeader
}

/** What the proxies say of the client. A part that they do not say, or say wrongly, is null. */
export interface Forwarded {
  /** Address of the client. */
  readonly address: string | null
  /** Whether the client's connection is HTTPS. */
  readonly secure: boolean | null
  /** Host that the client asked for. */
  readonly host: string | null
}

/** One hop: what a proxy says of its own client. */
interface Hop {
  readonly address: string | undefined
  readonly scheme: string | undefined
  readonly host: string | undefined
}

/**
 * Judges forwarding headers: the chain is read from this server outwards, and ends at the first address that is not
 * trusted, for everything beyond it may be invented.
 *
 * @see RFC 7239.
 */
export class TrustedProxies {
  readonly #trusted = new BlockList()
  readonly #header: ForwardingHeader

  /**
   * @param options Addresses and header.
   * @throws {TypeError} If an address is no IP address or network.
   */
  constructor(options: TrustedProxiesOptions) {
    for (const address of options.addresses) addTo(this.#trusted, address)
    this.#header = options.header ?? 'x-forwarded'
  }

  /**
   * @param remoteAddress Address that the connection comes from.
   * @param header Reads a header of the request.
   * @returns What the proxies say; null when the connection does not come from one.
   */
  read(remoteAddress: string, header: (name: string) => string | null): Forwarded | null {
    if (!this.#isTrusted(remoteAddress)) return null
    const hops = this.#header === 'forwarded' ? forwardedHops(header) : xForwardedHops(header)
    let client: Hop | undefined
    for (const hop of hops.reverse()) {
      client = hop
      if (hop.address === undefined || !this.#isTrusted(hop.address)) break
    }
    const scheme = client?.scheme?.toLowerCase()
    return {
      address: client?.address ?? null,
      secure: scheme === 'https' ? true : scheme === 'http' ? false : null,
      host: client?.host ?? null,
    }
  }

  #isTrusted(address: string): boolean {
    const family = isIP(address)
    return family !== 0 && this.#trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}

function addTo(list: BlockList, address: string): void {
  const [ip = '', prefix] = address.split('/')
  const family = isIP(ip)
  const most = family === 6 ? 128 : 32
  const bits = prefix === undefined ? most : Number(prefix)
  if (family === 0 || !/^\d*$/.test(prefix ?? '') || bits > most) {
    throw new TypeError(`Cannot trust the proxy "${address}": it is no IP address or network`)
  }
  list.addSubnet(ip, bits, family === 6 ? 'ipv6' : 'ipv4')
}

// Each proxy appends to the lists. One that overwrites scheme or host leaves a shorter list, whose last entry counts.
function xForwardedHops(header: (name: string) => string | null): Hop[] {
  const addresses = list(header('x-forwarded-for'))
  const schemes = list(header('x-forwarded-proto'))
  const hosts = list(header('x-forwarded-host'))
  return addresses.map((address, i) => {
    const fromEnd = addresses.length - i
    return {
      address: parseAddress(address),
      scheme: schemes.at(-fromEnd) ?? schemes[0],
      host: hosts.at(-fromEnd) ?? hosts[0],
    }
  })
}

function forwardedHops(header: (name: string) => string | null): Hop[] {
  return list(header('forwarded')).map((element) => {
    const pairs = new Map<string, string>()
    for (const pair of element.split(';')) {
      const equals = pair.indexOf('=')
      const value = pair.slice(equals + 1).trim()
      if (equals > 0) pairs.set(pair.slice(0, equals).trim().toLowerCase(), value.replace(/^"(.*)"$/, '$1'))
    }
    return {
      address: parseAddress(pairs.get('for') ?? ''),
      scheme: pairs.get('proto'),
      host: pairs.get('host'),
    }
  })
}

function list(value: string | null): string[] {
  if (value === null || value.length > 4096) return []
  return value.split(',').map((part) => part.trim())
}

// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`; anything else is nobody's address.
function parseAddress(text: string): string | undefined {
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ??
    (/^[^:]*:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  return isIP(bare) === 0 ? undefined : bare
}

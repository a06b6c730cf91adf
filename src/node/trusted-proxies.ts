import { BlockList, isIP } from 'node:net'
import { assertOptions, declarationError, shown } from '../core/internal.ts'
import { canonicalAddress } from '../http/internal.ts'

/** The header that a proxy writes: `X-Forwarded-For`, `-Proto` and `-Host`, or `Forwarded` of RFC 7239. */
export type ForwardingHeader = 'x-forwarded' | 'forwarded'

/** The proxies whose forwarding headers are trusted. */
export interface TrustedProxiesOptions {
  /**
   * Addresses and networks, such as `127.0.0.1`, `10.0.0.0/8` or `fd00::/8`; `unix` for what connects over the Unix socket
   * that the server listens on.
   */
  readonly addresses: readonly string[]
  /** The header that they write. They must drop or overwrite this header of clients. Default: `x-forwarded`. */
  readonly header?: ForwardingHeader
}

/** What the proxies report about the client. A part that is missing or malformed is null. */
export interface Forwarded {
  /** Normalized address of the client. */
  readonly address: string | null
  /** Whether the client's connection is HTTPS. */
  readonly secure: boolean | null
  /** Host that the client requested. */
  readonly host: string | null
}

/** One hop: what a proxy reports about its own client. */
interface Hop {
  readonly address: string | undefined
  readonly scheme: string | undefined
  readonly host: string | undefined
}

/** Stands for the address of what connects over a Unix socket, which has none. */
export const UNIX_SOCKET = 'unix'

type ReadHeader = (name: string) => string | null

const BITS_V4 = 32
const BITS_V6 = 128
const PREFIX = /^(?:0|[1-9][0-9]{0,2})$/
// RFC 7239 section 4. In practice, ports appear without quotes.
const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)\s*(?:;|$)/y

/**
 * Evaluates forwarding headers. The chain is read from this server outwards and ends at the first untrusted address, because
 * everything beyond it may be forged. Nothing beyond it is read, however long it is.
 *
 * @see RFC 7239.
 */
export class TrustedProxies {
  readonly #trusted = new BlockList()
  readonly #trustsSocket: boolean
  readonly #readClient: (header: ReadHeader, isTrusted: (address: string) => boolean) => Hop | undefined

  /**
   * @param options Addresses and header.
   * @throws {TypeError} If an address is not an IP address or network, or the header is neither `x-forwarded` nor `forwarded`.
   */
  constructor(options: TrustedProxiesOptions) {
    assertOptions(options, ['addresses', 'header'], 'trustedProxies')
    const { addresses, header = 'x-forwarded' } = options
    if (header !== 'x-forwarded' && header !== 'forwarded')
      throw declarationError(`Cannot read the header ${shown(header)}: use "x-forwarded" or "forwarded"`)
    if (!Array.isArray(addresses))
      throw declarationError(
        `Cannot trust the proxies ${shown(addresses)}: pass a list of addresses and networks`,
      )
    const given: readonly unknown[] = addresses
    for (const address of given) if (address !== UNIX_SOCKET) addTo(this.#trusted, address)
    this.#trustsSocket = given.includes(UNIX_SOCKET)
    this.#readClient = header === 'forwarded' ? clientOfForwarded : clientOfXForwarded
  }

  /**
   * @param remoteAddress Address that the connection comes from; {@link UNIX_SOCKET} for one over a Unix socket.
   * @param header Reads a header of the request.
   * @returns What the proxies report; null when the connection does not come from a proxy.
   */
  read(remoteAddress: string, header: ReadHeader): Forwarded | null {
    const isProxy =
      remoteAddress === UNIX_SOCKET ? this.#trustsSocket : this.#isTrusted(canonicalAddress(remoteAddress))
    if (!isProxy) return null
    const client = this.#readClient(header, (address) => this.#isTrusted(address))
    const scheme = client?.scheme?.toLowerCase()
    return {
      address: client?.address ?? null,
      secure: scheme === 'https' ? true : scheme === 'http' ? false : null,
      host: client?.host ?? null,
    }
  }

  #isTrusted(address: string): boolean {
    // A zone names a link of this machine; networks do not contain zones.
    const bare = address.replace(/%.*$/s, '')
    const family = isIP(bare)
    return family !== 0 && this.#trusted.check(bare, family === 6 ? 'ipv6' : 'ipv4')
  }
}

/**
 * Checks the proxies that `serve()` is to trust, as `serve()` does: for a program that checks its configuration without a start.
 *
 * @param options The option `trustedProxies` of `serve()`.
 * @throws {TypeError} If an address is not an IP address or network, or the header is neither `x-forwarded` nor `forwarded`.
 */
export function assertTrustedProxies(options: TrustedProxiesOptions): void {
  // Created only to validate.
  void new TrustedProxies(options)
}

// A malformed network is never read as a wider one: it is refused, as is one with host bits set.
function addTo(list: BlockList, given: unknown): void {
  const network = typeof given === 'string' ? parseNetwork(given) : undefined
  if (network === undefined) {
    throw declarationError(
      `Cannot trust the proxy ${shown(given)}: use an IP address such as "10.0.0.1", ` +
        'or a network by its first address, such as "10.0.0.0/8"',
    )
  }
  list.addSubnet(network.address, network.bits, network.family)
}

function parseNetwork(text: string): { address: string; bits: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [ip = '', prefix, ...more] = text.split('/')
  if (more.length > 0 || ip.includes('%') || isIP(ip) === 0) return undefined
  const given = isIP(ip) === 6 ? BITS_V6 : BITS_V4
  if (prefix !== undefined && (!PREFIX.test(prefix) || Number(prefix) > given)) return undefined
  const address = canonicalAddress(ip)
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  const most = family === 'ipv6' ? BITS_V6 : BITS_V4
  // `::ffff:10.0.0.0/104` is 10.0.0.0/8. A network wider than all of IPv4 is refused by its bits beyond the prefix.
  const bits = prefix === undefined ? most : Number(prefix) - (given - most)
  return bits >= 0 && isFirstOf(address, bits, family) ? { address, bits, family } : undefined
}

function isFirstOf(address: string, bits: number, family: 'ipv4' | 'ipv6'): boolean {
  const groups = family === 'ipv4' ? address.split('.').map(Number) : groupsOf(address)
  const size = family === 'ipv4' ? 8 : 16
  return groups.every((group, i) => {
    const free = Math.min(size, Math.max(0, (i + 1) * size - bits))
    return (group & ((1 << free) - 1)) === 0
  })
}

// The eight groups of a normalized address.
function groupsOf(address: string): number[] {
  const [head = '', tail] = address.split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

// Each proxy appends to the lists. A proxy that overwrites scheme or host leaves a shorter list, whose first entry counts for
// all hops beyond it. A proxy that sends no address still reports scheme and host.
function clientOfXForwarded(header: ReadHeader, isTrusted: (address: string) => boolean): Hop | undefined {
  const addresses = new FromEnd(header('x-forwarded-for'), lastComma)
  const schemes = new FromEnd(header('x-forwarded-proto'), lastComma)
  const hosts = new FromEnd(header('x-forwarded-host'), lastComma)
  let client: Hop | undefined
  while (addresses.step() || client === undefined) {
    schemes.step()
    hosts.step()
    const address = parseAddress(addresses.current ?? '')
    client = { address, scheme: schemes.current, host: hosts.current }
    if (address === undefined || !isTrusted(address)) break
  }
  return client
}

function clientOfForwarded(header: ReadHeader, isTrusted: (address: string) => boolean): Hop | undefined {
  const elements = new FromEnd(header('forwarded'), lastCommaOutsideQuotes)
  let client: Hop | undefined
  while (elements.step()) {
    client = parseElement(elements.current ?? '')
    if (client.address === undefined || !isTrusted(client.address)) break
  }
  return client
}

// An element of a proxy is used as a whole or not at all: a duplicate name means that a client wrote one of them.
function parseElement(element: string): Hop {
  const pairs = new Map<string, string>()
  const nothing: Hop = { address: undefined, scheme: undefined, host: undefined }
  PAIR.lastIndex = 0
  while (PAIR.lastIndex < element.length) {
    const pair = PAIR.exec(element)
    const name = pair?.[1]?.toLowerCase() ?? ''
    if (pair === null || pairs.has(name)) return nothing
    const value = pair[2] ?? ''
    pairs.set(name, value.startsWith('"') ? value.slice(1, -1).replaceAll(/\\(.)/g, '$1') : value)
  }
  return {
    address: parseAddress(pairs.get('for') ?? ''),
    scheme: pairs.get('proto'),
    host: pairs.get('host'),
  }
}

/** The list of a header, read lazily from its end. Empty entries are skipped (RFC 9110 section 5.6.1). */
class FromEnd {
  /** The current entry; it stays when there is no further one. */
  current: string | undefined = undefined
  #rest: string
  readonly #separator: (text: string) => number

  constructor(value: string | null, separator: (text: string) => number) {
    this.#rest = value ?? ''
    this.#separator = separator
  }

  /** Moves to the next entry and returns whether there was one. */
  step(): boolean {
    while (this.#rest !== '') {
      const comma = this.#separator(this.#rest)
      const entry = this.#rest.slice(comma + 1).trim()
      this.#rest = comma === -1 ? '' : this.#rest.slice(0, comma)
      if (entry === '') continue
      this.current = entry
      return true
    }
    return false
  }
}

function lastComma(text: string): number {
  return text.lastIndexOf(',')
}

// Searches from the end, so that an open quote of a client cannot hide what a proxy appended.
function lastCommaOutsideQuotes(text: string): number {
  let isQuoted = false
  for (let i = text.length - 1; i >= 0; i--) {
    const code = text.charCodeAt(i)
    if (code === 44 && !isQuoted) return i
    if (code !== 34) continue
    let slashes = 0
    while (text.charCodeAt(i - 1 - slashes) === 92) slashes++
    i -= slashes
    if (slashes % 2 === 0) isQuoted = !isQuoted
  }
  return -1
}

// `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`; anything else is not an address.
function parseAddress(text: string): string | undefined {
  const bare =
    /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ??
    (/^[^:]*:\d+$/.test(text) ? text.slice(0, text.indexOf(':')) : text)
  return isIP(bare) === 0 || bare.includes('%') ? undefined : canonicalAddress(bare)
}

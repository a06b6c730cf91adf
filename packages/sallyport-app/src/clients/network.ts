import { isIPv6 } from 'node:net'

/** How much of an address names a network. */
export interface Prefix {
  /** Bytes of an IPv4 address; 4 for the whole address. */
  readonly bytes: number
  /** Groups of 16 bits of an IPv6 address. */
  readonly groups: number
}

/**
 * Names the network of an address.
 *
 * @param clientAddress Address of a client; not empty. An IPv4 address within IPv6 counts as the former.
 * @param prefix How much of it names a network.
 * @returns The network, such as `192.0.2.0/24` or `2001:db8:0:1::/64`; the address itself where that is the network.
 */
export function networkOf(clientAddress: string, { bytes, groups }: Prefix): string {
  const address = /^::ffff:([0-9.]+)$/i.exec(clientAddress)?.[1] ?? clientAddress
  if (isIPv6(address)) return `${groupsOf(address).slice(0, groups).join(':')}::/${16 * groups}`
  if (bytes === 4) return address
  const kept = address.split('.').slice(0, bytes)
  return `${[...kept, ...Array.from({ length: 4 - bytes }, () => '0')].join('.')}/${8 * bytes}`
}

function groupsOf(address: string): readonly string[] {
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === '' ? [] : tail.split(':')
  const zeros = address.includes('::')
    ? Array.from({ length: 8 - before.length - after.length }, () => '0')
    : []
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16).toString(16))
}

const IP_V6 = /^[0-9a-f:.]{2,45}$/i
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/**
 * Gives one spelling to each address, so that comparing strings compares addresses: IPv6 as RFC 5952 has it, and an
 * IPv4 address that is written as IPv6 (`::ffff:192.0.2.1`, `::ffff:c000:201`) as the IPv4 address that it is.
 *
 * @param address An address, with or without a zone; anything else is given back as it is.
 * @returns The address; a zone is kept, for it tells two links apart.
 */
export function canonicalAddress(address: string): string {
  // Nearly all of them, and what is no address.
  if (!address.includes(':')) return address
  const percent = address.indexOf('%')
  const bare = percent === -1 ? address : address.slice(0, percent)
  const host = IP_V6.test(bare) ? URL.parse(`http://[${bare}]/`)?.hostname.slice(1, -1) : undefined
  if (host === undefined) return address
  const mapped = MAPPED.exec(host)
  if (mapped === null) return percent === -1 ? host : host + address.slice(percent)
  const bits = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? '', 16))
  return bits.flatMap((group) => [group >> 8, group & 255]).join('.')
}

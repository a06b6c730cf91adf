const IP_V6 = /^[0-9a-f:.]{2,45}$/i
const DOTTED = /(?<=:)(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})$/
const MAPPED = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/**
 * Normalizes an address, so that comparing strings compares addresses: IPv6 as in RFC 5952, an IPv4-mapped address
 * (`::ffff:192.0.2.1`, `::ffff:c000:201`) as IPv4.
 *
 * @param address An address, with or without a zone; any other string is returned unchanged.
 * @returns The address. A zone is kept, because it tells two links apart.
 */
export function canonicalAddress(address: string): string {
  // Nearly every address, and every string that is not one.
  if (!address.includes(':')) return address
  const percent = address.indexOf('%')
  const bare = percent === -1 ? address : address.slice(0, percent)
  const host = IP_V6.test(bare) ? URL.parse(`http://[${inGroups(bare)}]/`)?.hostname.slice(1, -1) : undefined
  if (host === undefined) return address
  const mapped = MAPPED.exec(host)
  if (mapped === null) return percent === -1 ? host : host + address.slice(percent)
  const bits = [mapped[1], mapped[2]].map((group) => Number.parseInt(group ?? '', 16))
  return bits.flatMap((group) => [group >> 8, group & 255]).join('.')
}

// Bun does not parse every address that ends like one of IPv4.
function inGroups(address: string): string {
  return address.replace(DOTTED, (dotted, ...octets: string[]) => {
    const [a = 0, b = 0, c = 0, d = 0] = octets.slice(0, 4).map(Number)
    if (Math.max(a, b, c, d) > 255) return dotted
    return [(a << 8) | b, (c << 8) | d].map((group) => group.toString(16)).join(':')
  })
}

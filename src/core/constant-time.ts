import { hash, timingSafeEqual } from 'node:crypto'

/**
 * Compares two texts in a time that tells nothing of where, or whether, they differ: digests of one length are
 * compared, so neither text's length shows.
 *
 * @param given Text that somebody sent.
 * @param expected Text that it must equal.
 * @returns Whether both are the same.
 */
export function isEqualConstantTime(given: string, expected: string): boolean {
  return timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', expected, 'buffer'))
}

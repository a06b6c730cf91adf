/**
 * An API token is one word of 59 characters:
 *
 * - `sallyport_`, by which people and scanners of source code recognize it;
 * - 43 characters of `0-9A-Za-z`: 32 random bytes as one number, the most significant digit first;
 * - 6 characters of `0-9A-Za-z`: the CRC-32 of everything before them, in the same way.
 *
 * The checksum is no secret and protects nothing. A scanner tells a token from a similar word by it, and a mistyped token is
 * refused without a question to the database.
 *
 * @module
 */
import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Secret } from 'sallyport'

/** What every token begins with. Change it to the name of your product. */
export const TOKEN_PREFIX = 'sallyport_'

const RANDOM_BYTES = 32
const RANDOM_DIGITS = 43
const CHECKSUM_DIGITS = 6
const HINT_DIGITS = 4
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SHAPE = new RegExp(`^${TOKEN_PREFIX}[0-9A-Za-z]{${RANDOM_DIGITS + CHECKSUM_DIGITS}}$`)

/** @returns A new token. */
export function newToken(): Secret {
  const number = BigInt(`0x${randomBytes(RANDOM_BYTES).toString('hex')}`)
  const body = TOKEN_PREFIX + toDigits(number, RANDOM_DIGITS)
  return new Secret(body + checksumOf(body))
}

/** @returns Whether it has the form of a token, and the right checksum. */
export function isWellFormedToken(token: string): boolean {
  if (!SHAPE.test(token)) return false
  return token.endsWith(checksumOf(token.slice(0, -CHECKSUM_DIGITS)))
}

/** @returns Its digest. A fast one: nobody guesses 256 random bits, however fast the guesses are judged. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** @returns Its first characters, by which its owner recognizes it. */
export function tokenHint(token: string): string {
  return token.slice(0, TOKEN_PREFIX.length + HINT_DIGITS)
}

function checksumOf(body: string): string {
  return toDigits(BigInt(crc32(body)), CHECKSUM_DIGITS)
}

function toDigits(number: bigint, count: number): string {
  const base = BigInt(DIGITS.length)
  let digits = ''
  for (let rest = number; rest > 0n; rest /= base) digits = DIGITS.charAt(Number(rest % base)) + digits
  return digits.padStart(count, DIGITS.charAt(0))
}

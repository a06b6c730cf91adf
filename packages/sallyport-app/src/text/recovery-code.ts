import { randomBytes } from 'node:crypto'
import { typedCode } from './typed-code.ts'

// Twelve characters of Crockford's Base32. 32 characters: each takes five bits of a random byte, none more often than another.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const CHARACTERS = 12
const PREFIX_CHARACTERS = 4

/** A code that its owner keeps for a loss. Its eight secret characters have 40 bits. */
export interface RecoveryCode {
  /** The first four characters: stored as they are, they find the row, so that one hash decides. */
  readonly prefix: string
  /** The others, to be stored hashed only. */
  readonly secret: string
}

/**
 * Makes a code.
 *
 * @returns A random one.
 */
export function newRecoveryCode(): RecoveryCode {
  return split([...randomBytes(CHARACTERS)].map((byte) => ALPHABET.charAt(byte & 31)).join(''))
}

/**
 * Shows a code to its owner.
 *
 * @param code The code.
 * @returns Its characters in groups of four: `ABCD-EFGH-JKMN`.
 */
export function shownRecoveryCode({ prefix, secret }: RecoveryCode): string {
  return `${prefix}${secret}`.replace(/(.{4})(.{4})/, '$1-$2-')
}

/**
 * Reads a code as people type it: without hyphens, in small letters, with O for 0 and I or L for 1. Whether it is one is not looked up.
 *
 * @param typed What was typed, of any type.
 * @returns The code; undefined for what has not its form.
 */
export function readRecoveryCode(typed: unknown): RecoveryCode | undefined {
  if (typeof typed !== 'string') return undefined
  const code = typedCode(typed).toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  return /^[0-9A-HJKMNP-TV-Z]{12}$/.test(code) ? split(code) : undefined
}

function split(code: string): RecoveryCode {
  return { prefix: code.slice(0, PREFIX_CHARACTERS), secret: code.slice(PREFIX_CHARACTERS) }
}

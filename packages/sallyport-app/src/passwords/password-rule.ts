import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { Violation } from 'sallyport/input'
import { z } from 'zod'
import { isCommonWord, readings, spellings } from './common-word.ts'
import { preparedPassword } from './prepared-passwords.ts'

// NIST SP 800-63B-4, 3.1.1.2: what a password may be that is not the only factor.
const MIN_CHARACTERS = 8
/** Most bytes of a password: more than any person types, less than hashing may cost. */
export const MAX_PASSWORD_BYTES = 1024

// More is not judged: the effort grows faster than the length, and forty characters decide.
const JUDGED_CHARACTERS = 40
// 1 is what a list of common passwords, with the usual replacements, dates and repetitions, finds within a million guesses.
const WEAKEST_ACCEPTED = 2
// As many characters of a password as must be more than words that everybody knows of its owner.
const OWN_CHARACTERS = 6

// The catalogue of an application has messages by these names.
const FALLBACKS = {
  too_short: 'Use at least {minimum} characters',
  too_long: 'Use at most {maximum} characters',
  easy_to_guess: 'This password is too easy to guess',
}

/** A form for a new password alone. The rule judges what is in it. */
export interface PasswordForm {
  /** What was typed. */
  readonly password: string
}

/** What is in {@link PasswordForm}. */
export const passwordForm: z.ZodType<PasswordForm> = z.object({ password: z.string().min(1) })

/** Why a password is refused. */
export type PasswordFault = keyof typeof FALLBACKS

/** The violation of a new password that is the present one. */
export const SAME_PASSWORD: Violation = new Violation({
  field: 'password',
  code: 'same_password',
  messageId: 'same_password',
  fallback: 'This is your present password',
  domain: 'auth',
})

/** What differs from the default rule. */
export interface PasswordOptions {
  /** Fewest characters of a password. Default: 8. */
  readonly minCharacters?: number
  /** Names of the site: every password of it may be tried with them. Default: none. */
  readonly words?: readonly string[]
}

let judge: ZxcvbnFactory | undefined

/**
 * Judges new passwords by their length and by how soon they are guessed. There are no rules about kinds of characters, and nothing
 * is cut off.
 */
export class PasswordRule {
  readonly #minCharacters: number
  readonly #siteWords: readonly string[]

  /** @param options What differs from the default rule. Default: nothing. */
  constructor(options: PasswordOptions = {}) {
    const { minCharacters = MIN_CHARACTERS, words = [] } = options
    this.#minCharacters = minCharacters
    this.#siteWords = words.flatMap(partsOf)
  }

  /**
   * Judges a password for a form.
   *
   * @param password What was typed.
   * @param words What everybody knows of its owner.
   * @returns What is wrong with it, with the fault as the code, and the values `minimum` and `maximum`; undefined when it may be used.
   */
  violation(password: string, words: readonly string[]): Violation | undefined {
    const code = this.fault(password, words)
    if (code === undefined) return undefined
    const parameters = { minimum: this.#minCharacters, maximum: MAX_PASSWORD_BYTES }
    return new Violation({ field: 'password', code, fallback: FALLBACKS[code], parameters })
  }

  /**
   * Judges a password.
   *
   * @param typed What was typed.
   * @param words What everybody knows of its owner.
   * @returns What is wrong with it; undefined when it may be used.
   */
  fault(typed: string, words: readonly string[]): PasswordFault | undefined {
    const password = preparedPassword(typed)
    if (Array.from(password).length < this.#minCharacters) return 'too_short'
    if (Buffer.byteLength(password) > MAX_PASSWORD_BYTES) return 'too_long'
    // The lists take a tenth of a second to prepare: done for the first password.
    judge ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, maxLength: JUDGED_CHARACTERS })
    const known = [...this.#siteWords, ...words.flatMap(partsOf)]
    if ([password, ...readings(password)].some((reading) => isMadeOf(reading, known))) return 'easy_to_guess'
    const judged = password.slice(0, JUDGED_CHARACTERS)
    if (isCommonWord(judged)) return 'easy_to_guess'
    const { score } = judge.check(judged, known)
    return score < WEAKEST_ACCEPTED ? 'easy_to_guess' : undefined
  }
}

// What is left without the known words is too little to guess at.
function isMadeOf(password: string, words: readonly string[]): boolean {
  const all = squash(password)
  const longestFirst = words.map(squash).filter((word) => word.length > 2)
  longestFirst.sort((one, other) => other.length - one.length)
  const left = longestFirst.reduce((rest, word) => rest.replaceAll(word, ''), all)
  return left !== all && left.length < OWN_CHARACTERS
}

// Without what people put between words; other punctuation is something to guess at.
function squash(text: string): string {
  return text.toLowerCase().replace(/[\s\p{Pd}\p{Pc}.,@+'’]/gu, '')
}

// `Ada Lovelace` is also `ada`, `lovelace` and `adalovelace`; an address also its name and its domain; `Söhne` also `sohne` and `soehne`.
function partsOf(text: string): readonly string[] {
  const lower = text.toLowerCase()
  const parts = lower.split(/[^\p{L}\p{N}]+/u).filter((part) => part.length > 2)
  const found = [lower, parts.join(''), ...parts, ...lower.split('@')].filter((part) => part !== '')
  return [...new Set(found.flatMap((part) => [part, ...spellings(part)]))]
}

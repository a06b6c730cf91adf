import { Violation } from 'sallyport/input'
import { MAX_PASSWORD_BYTES, MIN_PASSWORD_CHARACTERS, passwordFault } from './password-rule.ts'

// The texts are in the catalogue.
const FALLBACKS = {
  too_short: 'Use at least {minimum} characters',
  too_long: 'Use at most {maximum} characters',
  easy_to_guess: 'This password is too easy to guess',
}

/** The violation of a new password that is the present one. */
export const SAME_PASSWORD = {
  field: 'password',
  code: 'same_password',
  messageId: 'same_password',
  fallback: 'This is your present password',
  domain: 'auth',
}

/** @returns What is wrong with it, for the form; undefined when it may be used. */
export function newPasswordViolation(password: string, words: readonly string[]): Violation | undefined {
  const code = passwordFault(password, words)
  if (code === undefined) return undefined
  const parameters = { minimum: MIN_PASSWORD_CHARACTERS, maximum: MAX_PASSWORD_BYTES }
  return new Violation({ field: 'password', code, fallback: FALLBACKS[code], parameters })
}

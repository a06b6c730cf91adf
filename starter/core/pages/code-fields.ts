import { z } from 'zod'
import { readRecoveryCode } from 'sallyport-app/text'
import { parseTotpCode } from '../factors/totp-code.ts'

// What cannot be a code is refused before anything is counted or looked up: a slip, or a page that is loaded again, costs no
// attempt, and the answer depends on nothing but what was typed.

/** The field of a code of an authenticator: six digits, typed or pasted with spaces and dashes of any kind. */
export const authenticatorCode: z.ZodType<string> = z.stringFormat('six_digits', (text) => isSixDigits(text))

/** The field of a recovery code: twelve letters and digits. */
export const recoveryCode: z.ZodType<string> = z.stringFormat('recovery_code', isRecoveryCode)

/** @returns Why it cannot be a code of this kind; undefined when it can. */
export function codeFault(kind: 'totp' | 'recovery', typed: string): CodeFault | undefined {
  if (kind === 'totp') return isSixDigits(typed) ? undefined : faultOf('code', 'six_digits')
  return isRecoveryCode(typed) ? undefined : faultOf('recovery_code', 'recovery_code')
}

/** A violation of the form of a code. */
export interface CodeFault {
  readonly field: string
  readonly code: 'invalid_format'
  readonly fallback: string
  readonly domain: 'validation'
  readonly parameters: { readonly format: string }
}

function faultOf(field: string, format: string): CodeFault {
  const fallback = 'This cannot be a code'
  return { field, code: 'invalid_format', fallback, domain: 'validation', parameters: { format } }
}

function isRecoveryCode(text: string): boolean {
  return readRecoveryCode(text) !== undefined
}

function isSixDigits(text: string): boolean {
  return parseTotpCode(text) !== undefined
}

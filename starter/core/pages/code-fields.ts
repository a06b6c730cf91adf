import { z } from 'zod'
import { readRecoveryCode } from 'sallyport-app/text'
import { parseTotpCode } from '../factors/totp-code.ts'

// What cannot be a code is refused before anything is counted or looked up: a slip, or a page that is loaded again, costs no
// attempt, and the answer depends on nothing but what was typed.

/** The field of a code of an authenticator: six digits, typed or pasted with spaces and dashes of any kind. */
export const authenticatorCode: z.ZodType<string> = z.stringFormat(
  'six_digits',
  (text) => parseTotpCode(text) !== undefined,
)

/** The field of a recovery code: twelve letters and digits. */
export const recoveryCode: z.ZodType<string> = z.stringFormat(
  'recovery_code',
  (text) => readRecoveryCode(text) !== undefined,
)

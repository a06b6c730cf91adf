import { ValidationException, Violation } from 'sallyport/input'
import { z } from 'zod'
import { MAX_PASSWORD_BYTES } from './password-rule.ts'

// RFC 5321, 4.5.3.1.3: nothing longer is a valid address.
const EMAIL_CHARACTERS = 254

/** What is typed to sign in. */
export interface Credentials {
  /** An address without surrounding blanks. */
  readonly email: string
  /** A password as it was typed. */
  readonly password: string
}

/** What is in {@link Credentials}: what can be checked at all. */
export const credentialsForm: z.ZodObject<{ email: z.ZodType<string>; password: z.ZodType<string> }> =
  z.object({
    email: z
      .string()
      .trim()
      .max(EMAIL_CHARACTERS)
      .regex(/^[^\s@]+@[^\s@]+$/),
    password: z
      .string()
      .min(1)
      .refine((password) => password.isWellFormed() && Buffer.byteLength(password) <= MAX_PASSWORD_BYTES),
  })

/**
 * Makes the one answer to an unknown address, a wrong password, an account that may not sign in, and missing or malformed fields: clients
 * cannot distinguish them.
 *
 * @returns An exception with the violation `invalid_credentials`.
 */
export function invalidCredentials(): ValidationException {
  const code = 'invalid_credentials'
  const violation = { field: null, code, messageId: code, fallback: 'Invalid credentials', domain: 'auth' }
  return new ValidationException([new Violation(violation)])
}

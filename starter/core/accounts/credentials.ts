import { z } from 'zod'

// Longer values are neither valid addresses (RFC 5321, 4.5.3.1.3) nor passwords that the hasher accepts.
const EMAIL_CHARACTERS = 254
const PASSWORD_BYTES = 1024

/** An address and a password that can be checked. */
export interface Credentials {
  /** Address without surrounding blanks. */
  readonly email: string
  /** Password as it was typed. */
  readonly password: string
}

/** The fields `email` and `password` of a form. */
export const credentialsSchema: z.ZodObject<{ email: z.ZodType<string>; password: z.ZodType<string> }> =
  z.object({
    email: z
      .string()
      .trim()
      .max(EMAIL_CHARACTERS)
      .regex(/^[^\s@]+@[^\s@]+$/),
    password: z
      .string()
      .min(1)
      .refine((password) => password.isWellFormed() && Buffer.byteLength(password) <= PASSWORD_BYTES),
  })

import { z } from 'zod'

const MAX_CHARACTERS = 60

/** The name that an owner gives a passkey. */
export const passkeyName: z.ZodType<string> = z.string().trim().min(1).max(MAX_CHARACTERS)

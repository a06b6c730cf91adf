import { z } from 'zod'
import { isOwnerName, NAME_CHARACTERS } from '../text/owner-name.ts'

/** The field of a form in which somebody types their name. */
export const ownerNameField: z.ZodType<string> = z
  .string()
  .trim()
  .min(1)
  .max(NAME_CHARACTERS)
  .refine(isOwnerName)

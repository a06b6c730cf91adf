import { z } from 'zod'

const LABEL_CHARACTERS = 60

/** Name that the owner gives to a factor: one line. */
export const labelSchema: z.ZodType<string> = z
  .string()
  .trim()
  .min(1)
  .max(LABEL_CHARACTERS)
  .refine((label) => label.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(label))

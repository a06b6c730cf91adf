import { z } from 'zod'
import { isOwnerName, isPlainLine, NAME_CHARACTERS } from './plain-line.ts'

/** The longest name of a thing, in characters. */
export const LABEL_CHARACTERS = 60

/** The field of a form in which an owner names a thing, such as a factor or a token: one line that disturbs nothing around it. */
export const labelField: z.ZodType<string> = z
  .string()
  .trim()
  .min(1)
  .max(LABEL_CHARACTERS)
  .pipe(z.stringFormat('label', isPlainLine))

/** The field of a form in which somebody types their name. */
export const ownerNameField: z.ZodType<string> = z
  .string()
  .trim()
  .min(1)
  .max(NAME_CHARACTERS)
  .refine(isOwnerName)

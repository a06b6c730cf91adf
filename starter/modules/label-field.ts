import { z } from 'zod'

const LABEL_CHARACTERS = 60
// Bidirectional controls turn the text around them, and line breaks and controls do the same to lists and mails.
const DISTURBING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
// At least one that is seen: others take no room.
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** The field of a form in which an owner names a factor, a passkey or a token: one line that disturbs nothing around it. */
export const labelField: z.ZodType<string> = z
  .string()
  .trim()
  .min(1)
  .max(LABEL_CHARACTERS)
  .pipe(z.stringFormat('label', (label) => VISIBLE.test(label) && !DISTURBING.test(label)))

import type { z } from 'zod'
import { labelField } from '../label-field.ts'

/** Name that the owner gives to a factor. */
export const labelSchema: z.ZodType<string> = labelField

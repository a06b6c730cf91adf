import type { z } from 'zod'
import { labelField } from '../label-field.ts'

/** The name that an owner gives a passkey. */
export const passkeyName: z.ZodType<string> = labelField

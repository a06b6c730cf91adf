import { z } from 'zod'

/** Whether the second step is not to be asked for in this browser: a box that is ticked. */
export interface TrustChoice {
  readonly trust?: '1' | true | undefined
}

/** The field of a form. Anything else is a box that is not ticked. */
export const trustField: z.ZodType<TrustChoice['trust']> = z.literal(['1', true]).optional().catch(undefined)

import { z } from 'zod'

/** The page to return to. */
export interface ReturnTo {
  /** Its path and query, as a client sent it. */
  readonly return_url?: string | undefined
}

/** Its field. Anything but one page is ignored, as a page that is not returned to. */
export const returnUrlField: z.ZodType<string | undefined> = z.string().optional().catch(undefined)

/** The query of a page with such a form. */
export const returnToSchema: z.ZodType<ReturnTo> = z.object({ return_url: returnUrlField })

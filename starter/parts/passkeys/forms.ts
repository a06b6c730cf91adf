import { z } from 'zod'
import { labelField } from 'sallyport-app/text'

/** Message of what a passkey is called that has no name, and whose authenticator has none. */
export const UNNAMED = 'passkeys.resident.unknown'

/** The form that a script fills in with the answer of the browser. */
export interface PostedPasskey {
  /** The answer, as JSON. */
  readonly response: string
  /** The page to go on with. Default: none. */
  readonly return_url?: string | undefined
}

/** Its fields. What is not one page is ignored. */
export const postedSchema: z.ZodType<PostedPasskey> = z.object({
  response: z.string(),
  return_url: z.string().optional().catch(undefined),
})

/** The same for a new passkey. */
export interface NewPasskey {
  /** Name given by its owner. Default: that of its authenticator. */
  readonly label?: string | undefined
  /** The answer, as JSON. */
  readonly response: string
}

/** Its fields. */
export const newSchema: z.ZodType<NewPasskey> = z.object({
  label: z.preprocess(
    (typed) => (typeof typed === 'string' && typed.trim() === '' ? undefined : typed),
    labelField.optional(),
  ),
  response: z.string(),
})

import type { Session } from 'sallyport/session'
import { z } from 'zod'
import type { Client } from 'sallyport-app/clients'
import { labelField } from 'sallyport-app/text'
import type { HeldCredentials } from '../../core/accounts/credential-version.ts'

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

/** What a browser sent for a new passkey. */
export interface Registration {
  /** Session of the request, which has the challenge. */
  readonly session: Session
  readonly response: string
}

/** What a new passkey is called. */
interface Naming {
  /** Name given by its owner. Default: that of its authenticator, where it is known. */
  readonly label?: string | undefined
  /** What it is called otherwise. */
  readonly unnamed: string
}

/** A form that adds a passkey. */
export interface PasskeyForm extends Client, HeldCredentials, Registration, Naming {
  /** Whether new recovery codes come with it, as with every first factor. */
  readonly withCodes: boolean
}

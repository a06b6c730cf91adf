import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { z } from 'zod'

// A response with the largest keys and attestations that are in use has some 5,000 characters.
const MAX_CHARACTERS = 20_000

const bytes = z
  .string()
  .max(MAX_CHARACTERS)
  .regex(/^[\w-]*$/)
const credential = {
  id: bytes,
  rawId: bytes,
  type: z.literal('public-key'),
}

const assertionSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    authenticatorData: bytes,
    signature: bytes,
    userHandle: bytes.nullish(),
  }),
})

const registrationSchema = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: bytes,
    attestationObject: bytes,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .catch([])
      .optional(),
  }),
  clientExtensionResults: z
    .object({ credProps: z.object({ rk: z.boolean().optional() }).optional().catch(undefined) })
    .catch({}),
})

/** A new credential as the browser sends it. */
export interface PostedRegistration {
  /** For the library. */
  readonly json: RegistrationResponseJSON
  /** Whether the authenticator lists it by itself. */
  readonly resident: 'yes' | 'no' | 'unknown'
}

/** @returns The response of a passkey; undefined when it is malformed. */
export function parseAssertion(text: string): AuthenticationResponseJSON | undefined {
  const parsed = assertionSchema.safeParse(parseJson(text))
  if (!parsed.success) return undefined
  const { userHandle, ...response } = parsed.data.response
  return {
    ...parsed.data,
    response: { ...response, ...(typeof userHandle === 'string' && userHandle !== '' ? { userHandle } : {}) },
    clientExtensionResults: {},
  }
}

/** @returns A new credential; undefined when it is malformed. */
export function parseRegistration(text: string): PostedRegistration | undefined {
  const parsed = registrationSchema.safeParse(parseJson(text))
  if (!parsed.success) return undefined
  const { clientExtensionResults, response, ...rest } = parsed.data
  const { transports = [], ...attestation } = response
  const rk = clientExtensionResults.credProps?.rk
  return {
    json: { ...rest, response: { ...attestation, transports }, clientExtensionResults: {} },
    resident: rk === undefined ? 'unknown' : rk ? 'yes' : 'no',
  }
}

/**
 * @returns Whether it was made in a page of its own: in no frame whose top page has another origin.
 * @see WebAuthn Level 3, sections 7.1 and 7.2, the steps about `crossOrigin` and `topOrigin`.
 */
export function isTopLevel(clientDataJSON: string): boolean {
  const data = parseJson(Buffer.from(clientDataJSON, 'base64url').toString())
  if (typeof data !== 'object' || data === null) return false
  const { crossOrigin = false, topOrigin }: { readonly crossOrigin?: unknown; readonly topOrigin?: unknown } =
    data
  return crossOrigin === false && topOrigin === undefined
}

function parseJson(text: string): unknown {
  if (text.length > MAX_CHARACTERS) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

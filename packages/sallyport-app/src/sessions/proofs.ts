import type { Session } from 'sallyport/session'
import { z } from 'zod'
import { keepCredentialVersion, keptCredentialVersion } from './session-credentials.ts'

// What was proven in this session, and when.
const PROOFS_KEY = 'step_up'
const time = z.int().nullable().catch(null)
const proofsSchema = z.object({ password_at: time, factor_at: time, kind: z.string().nullable().catch(null) })
const ownedSchema = z.object({ identifier: z.string(), credential_version: z.int() })

/** What was proven, as Unix timestamps in seconds. */
export interface Proofs<Kind extends string = string> {
  /** When the password was proven. Default: not in this session. */
  readonly password?: number | undefined
  /** When a second factor was proven. Default: not in this session. */
  readonly factor?: number | undefined
  /** With what it was proven, or what stood in for it at the login and proves none. Default: with none. */
  readonly kind?: Kind | undefined
}

/**
 * Replaces what is recorded in the session, with its present credentials: proofs of another account, or of earlier credentials, count for
 * nothing. Every login does, so that nothing of an earlier one remains.
 *
 * @param session Session of the request.
 * @param identifier The account.
 * @param proofs What was proven.
 */
export async function recordProofs(session: Session, identifier: string, proofs: Proofs): Promise<void> {
  const credentialVersion = (await keptCredentialVersion(session)) ?? 0
  await session.set(PROOFS_KEY, {
    identifier,
    credential_version: credentialVersion,
    ...formatProofs(proofs),
  })
}

/**
 * Adds to what is recorded in the session, after that was made durable. The session gets a new identifier before it is worth more than its
 * identifier was.
 *
 * @param session Session of the request.
 * @param identifier The account.
 * @param added What was proven; the version of the credentials where this session has just changed them.
 */
export async function addProofs(
  session: Session,
  identifier: string,
  { credentialVersion, ...proofs }: Proofs & { readonly credentialVersion?: number },
): Promise<void> {
  const known = await readProofs(session, identifier)
  await session.regenerateId()
  if (credentialVersion !== undefined) await keepCredentialVersion(session, credentialVersion)
  await recordProofs(session, identifier, { ...known, ...proofs })
}

/**
 * Writes proofs down, for a session that waits for more.
 *
 * @param proofs What was proven.
 * @returns The same, as sessions keep it.
 */
export function formatProofs(proofs: Proofs): Readonly<Record<string, string | number | null>> {
  return {
    password_at: proofs.password ?? null,
    factor_at: proofs.factor ?? null,
    kind: proofs.kind ?? null,
  }
}

/**
 * Reads what `formatProofs()` has written.
 *
 * @param value An entry of a session.
 * @returns What it says; nothing of what is malformed. Its kind may be one that the application has no more, and confirms nothing then.
 */
export function parseProofs<Kind extends string>(value: unknown): Proofs<Kind> {
  const { data } = proofsSchema.safeParse(value)
  if (data === undefined) return {}
  const kind = data.kind === null ? undefined : (data.kind as Kind)
  return { password: data.password_at ?? undefined, factor: data.factor_at ?? undefined, kind }
}

/**
 * Reads what the session records.
 *
 * @param session Session of the request.
 * @param identifier The account.
 * @returns What was proven of the present credentials of this account, however long ago it was.
 */
export async function readProofs<Kind extends string>(
  session: Session,
  identifier: string,
): Promise<Proofs<Kind>> {
  const value = await session.get(PROOFS_KEY)
  const { data } = ownedSchema.safeParse(value)
  const isOwn =
    data?.identifier === identifier && data.credential_version === (await keptCredentialVersion(session))
  return isOwn ? parseProofs(value) : {}
}

/**
 * Forgets what was proven, with the identity of the session.
 *
 * @param session Session of the request.
 */
export async function discardProofs(session: Session): Promise<void> {
  await session.remove(PROOFS_KEY)
}

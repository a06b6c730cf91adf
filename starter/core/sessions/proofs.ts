import type { Session } from 'sallyport/session'
import { z } from 'zod'
import type { FactorKind } from '../factors/factor-kinds.ts'
import type { Proofs } from '../sign-in-step.ts'
import { keptCredentialVersion } from './session-credentials.ts'

// What was proven in this session, and when. It is application state and never part of `_2fa`.
const PROOFS_KEY = 'step_up'
const time = z.int().nullable().catch(null)
const proofsSchema = z.object({ password_at: time, factor_at: time, kind: z.string().nullable().catch(null) })
const ownedSchema = z.object({ identifier: z.string(), credential_version: z.int() })

/**
 * Replaces what is recorded in the session, with its present credentials: proofs of another account, or of earlier credentials, count for
 * nothing. Every login does, so that nothing of an earlier one remains.
 */
export async function recordProofs(session: Session, identifier: string, proofs: Proofs): Promise<void> {
  const credentialVersion = (await keptCredentialVersion(session)) ?? 0
  await session.set(PROOFS_KEY, {
    identifier,
    credential_version: credentialVersion,
    ...formatProofs(proofs),
  })
}

/** @returns The same, as sessions keep it. */
export function formatProofs(proofs: Proofs): Readonly<Record<string, string | number | null>> {
  return {
    password_at: proofs.password ?? null,
    factor_at: proofs.factor ?? null,
    kind: proofs.kind ?? null,
  }
}

/** @returns What it says; nothing of what is malformed. A kind that no part has any more confirms nothing. */
export function parseProofs(value: unknown): Proofs {
  const { data } = proofsSchema.safeParse(value)
  if (data === undefined) return {}
  const kind = data.kind === null ? undefined : (data.kind as FactorKind)
  return { password: data.password_at ?? undefined, factor: data.factor_at ?? undefined, kind }
}

/** @returns What the session records for the present credentials of this account, however long ago it was. */
export async function readProofs(session: Session, identifier: string): Promise<Proofs> {
  const value = await session.get(PROOFS_KEY)
  const { data } = ownedSchema.safeParse(value)
  const isOwn =
    data?.identifier === identifier && data.credential_version === (await keptCredentialVersion(session))
  return isOwn ? parseProofs(value) : {}
}

export async function discardProofs(session: Session): Promise<void> {
  await session.remove(PROOFS_KEY)
}

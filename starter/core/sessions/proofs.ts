import type { Session } from 'sallyport/session'
import { z } from 'zod'
import type { Proofs } from '../sign-in-step.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { CREDENTIAL_VERSION_KEY } from './session-credentials.ts'

// What was proven in this session, and when. It is application state and never part of `_2fa`.
const PROOFS_KEY = 'step_up'
const time = z.int().nullable().catch(null)
const proofsSchema = z.object({ password_at: time, factor_at: time, kind: z.string().nullable().catch(null) })
const ownedSchema = z.object({ identifier: z.string(), credential_version: z.int() })

/** Whose proofs they are. Proofs of another account, or of earlier credentials, count for nothing. */
export interface ProofOwner {
  readonly identifier: string
  readonly credentialVersion: number
}

/** Replaces what is recorded in the session. Every login does, so that nothing of an earlier one remains. */
export async function recordProofs(session: Session, owner: ProofOwner, proofs: Proofs): Promise<void> {
  await session.set(PROOFS_KEY, {
    identifier: owner.identifier,
    credential_version: owner.credentialVersion,
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
    data?.identifier === identifier && data.credential_version === (await session.get(CREDENTIAL_VERSION_KEY))
  return isOwn ? parseProofs(value) : {}
}

/**
 * Lets the proofs of this session hold for new credentials, before `keepCredentialVersion()`, with what the change itself has proven: after
 * changes that leave password and proven factor as they are.
 */
export async function carryProofs(session: Session, owner: ProofOwner, added: Proofs = {}): Promise<void> {
  const proofs = await readProofs(session, owner.identifier)
  await recordProofs(session, owner, { ...proofs, ...added })
}

export async function discardProofs(session: Session): Promise<void> {
  await session.remove(PROOFS_KEY)
}

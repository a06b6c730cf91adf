import type { Session } from 'sallyport/session'
import type { Proofs } from '../sign-in-step.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { CREDENTIAL_VERSION_KEY } from './session-credentials.ts'

// What was proven in this session, and when. It is application state and never part of `_2fa`.
const PROOFS_KEY = 'step_up'

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

/** @returns What it says; nothing of what is malformed. */
export function parseProofs(value: unknown): Proofs {
  if (typeof value !== 'object' || value === null) return {}
  const entry: Readonly<Record<string, unknown>> = { ...value }
  return {
    password: toTime(entry['password_at']),
    factor: toTime(entry['factor_at']),
    kind: toKind(entry['kind']),
  }
}

/** @returns What the session records for the present credentials of this account, however long ago it was. */
export async function readProofs(session: Session, identifier: string): Promise<Proofs> {
  const value = await session.get(PROOFS_KEY)
  if (typeof value !== 'object' || value === null) return {}
  const entry: Readonly<Record<string, unknown>> = { ...value }
  if (entry['identifier'] !== identifier) return {}
  if (entry['credential_version'] !== (await session.get(CREDENTIAL_VERSION_KEY))) return {}
  return parseProofs(entry)
}

/**
 * Lets the proofs of this session hold for new credentials of the account. To be called before `keepCredentialVersion()`, after
 * changes that leave password and proven factor as they are; after other changes, both are asked for again.
 *
 * @param added What was proven with the change itself. Default: nothing.
 */
export async function carryProofs(session: Session, owner: ProofOwner, added: Proofs = {}): Promise<void> {
  const proofs = await readProofs(session, owner.identifier)
  await recordProofs(session, owner, { ...proofs, ...added })
}

export async function discardProofs(session: Session): Promise<void> {
  await session.remove(PROOFS_KEY)
}

function toTime(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
}

function toKind(value: unknown): FactorKind | undefined {
  // One that no part has any more confirms nothing.
  return typeof value === 'string' ? (value as FactorKind) : undefined
}

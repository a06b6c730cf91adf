import { randomUUID } from 'node:crypto'
import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { HeldKind } from './factor-kinds.ts'
import { ENROLLMENT_SECONDS } from './unverified-totp.ts'

/** Session key of the authenticator that a signed-in user sets up. */
export const SETUP_KEY = 'totp_setup'

/** Whose set-up it is, and what for. */
export interface SetupPurpose {
  /** Account reference. */
  readonly accountId: string
  /** Identifier of the authenticator whose place it takes; null for none. */
  readonly replaces: string | null
  /** Its kind. */
  readonly kind: HeldKind
}

/**
 * Returns the set-up of this session for one page, and begins one where there is none. Each page has its own, so that what was
 * begun as an addition is not finished as a replacement.
 *
 * @returns Identifier of the unverified factor.
 */
export async function keepSetup(session: Session, purpose: SetupPurpose, clock: Clock): Promise<string> {
  const known = await readSetup(session, purpose, clock)
  if (known !== undefined) return known
  const { accountId, replaces, kind } = purpose
  const id = randomUUID()
  const expiresAt = clock.timestamp() + ENROLLMENT_SECONDS
  await session.set(SETUP_KEY, { id, identifier: accountId, replaces, kind, expires_at: expiresAt })
  return id
}

/** @returns Identifier of the unverified factor; undefined when there is no set-up for this purpose, or it has expired. */
export async function readSetup(
  session: Session,
  { accountId, replaces, kind }: SetupPurpose,
  clock: Clock,
): Promise<string | undefined> {
  const entry = parseEntry(await session.get(SETUP_KEY), clock)
  if (entry?.accountId !== accountId || entry.replaces !== replaces || entry.kind !== kind) return undefined
  return entry.id
}

/** Ends the set-up. */
export async function finishSetup(session: Session): Promise<void> {
  await session.remove(SETUP_KEY)
}

function parseEntry(
  value: unknown,
  clock: Clock,
): (Omit<SetupPurpose, 'kind'> & { readonly id: string; readonly kind: string }) | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const entry: Readonly<Record<string, unknown>> = { ...value }
  const { id, identifier: accountId, replaces, kind, expires_at: expiresAt } = entry
  if (typeof id !== 'string' || typeof accountId !== 'string') return undefined
  if (replaces !== null && typeof replaces !== 'string') return undefined
  if (typeof kind !== 'string') return undefined
  const left = Number(expiresAt) - clock.timestamp()
  return left > 0 && left <= ENROLLMENT_SECONDS ? { id, accountId, replaces, kind } : undefined
}

import { randomUUID } from 'node:crypto'
import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { HeldKind } from './factor-kinds.ts'

/** How long a secret that was shown can be proven. Afterwards it is deleted, and a new one is made. */
export const ENROLLMENT_SECONDS: number = 15 * 60

/** Session key of the authenticator that a signed-in user sets up. */
export const SETUP_KEY = 'totp_setup'

/** Whose set-up it is, and what for: what was begun as an addition is not finished as a replacement. */
export interface SetupPurpose {
  readonly accountId: string
  /** Identifier of the authenticator whose place it takes; null for none. */
  readonly replaces: string | null
  readonly kind: HeldKind
}

/** @returns Identifier of the unverified factor of this session, for this purpose: the one that it has, or a new one. */
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
  purpose: SetupPurpose,
  clock: Clock,
): Promise<string | undefined> {
  const value = await session.get(SETUP_KEY)
  if (typeof value !== 'object' || value === null) return undefined
  const {
    id,
    identifier,
    replaces,
    kind,
    expires_at: expiresAt,
  }: Readonly<Record<string, unknown>> = { ...value }
  if (identifier !== purpose.accountId || replaces !== purpose.replaces || kind !== purpose.kind)
    return undefined
  const left = Number(expiresAt) - clock.timestamp()
  return typeof id === 'string' && left > 0 && left <= ENROLLMENT_SECONDS ? id : undefined
}

export async function finishSetup(session: Session): Promise<void> {
  await session.remove(SETUP_KEY)
}

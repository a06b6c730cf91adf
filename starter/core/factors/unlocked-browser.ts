import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'

// A browser in which the link of a mail about a lock was confirmed. The entry has exactly these members:
//
//   identifier    account reference
//   id            identifier of the unlock, under which its tries are counted
//   expires_at    integer, Unix timestamp in seconds
//
// It signs nobody in: password and code are asked for as always.
const UNLOCKED_KEY = 'unlocked'

/** How long an unlocked browser may try codes although the factor is locked. */
export const UNLOCKED_SECONDS: number = 10 * 60

/** Which lock does not hold in a browser. */
export interface Unlocked {
  /** Account reference. */
  readonly accountId: string
  /** Identifier under which the tries are counted. */
  readonly id: string
}

export async function unlockBrowser(session: Session, unlocked: Unlocked, clock: Clock): Promise<void> {
  const expiresAt = clock.timestamp() + UNLOCKED_SECONDS
  await session.set(UNLOCKED_KEY, {
    identifier: unlocked.accountId,
    id: unlocked.id,
    expires_at: expiresAt,
  })
}

/** @returns Identifier of the unlock; undefined when this browser has none for the account, or it has expired. */
export async function readUnlocked(
  session: Session,
  accountId: string,
  clock: Clock,
): Promise<string | undefined> {
  const value = await session.get(UNLOCKED_KEY)
  if (typeof value !== 'object' || value === null) return undefined
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const { identifier, id, expires_at: expiresAt } = fields
  if (identifier !== accountId || typeof id !== 'string' || typeof expiresAt !== 'number') return undefined
  const left = expiresAt - clock.timestamp()
  return left > 0 && left <= UNLOCKED_SECONDS ? id : undefined
}

export async function discardUnlocked(session: Pick<Session, 'remove'>): Promise<void> {
  await session.remove(UNLOCKED_KEY)
}

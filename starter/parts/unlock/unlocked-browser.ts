import type { Clock, HttpContext } from 'sallyport'
import type { Session } from 'sallyport/session'
import { Limit } from 'sallyport-app/limits'
import type { Completion, SignInStep } from '../../core/sign-in-step.ts'

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

/** Failed codes in an unlocked browser. They count for nothing else: the lock holds for everybody else. */
export const UNLOCKED_LIMIT: Limit = new Limit('unlocked', 5)

/** Which lock does not hold in a browser. */
export interface Unlocked {
  /** Account reference. */
  readonly accountId: string
  /** Identifier under which the tries are counted. */
  readonly id: string
}

export async function unlockBrowser(
  session: Session,
  { accountId, id }: Unlocked,
  clock: Clock,
): Promise<void> {
  const expiresAt = clock.timestamp() + UNLOCKED_SECONDS
  await session.set(UNLOCKED_KEY, { identifier: accountId, id, expires_at: expiresAt })
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

/** A complete sign-in needs the unlock no more. */
export class EndUnlocked implements SignInStep {
  complete(context: HttpContext): Completion {
    return { after: () => context.session().remove(UNLOCKED_KEY) }
  }
}

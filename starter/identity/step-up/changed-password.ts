import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'

// Account reference, and a Unix timestamp in seconds: the change has used up its proofs, and its form may come once more.
const CHANGED_KEY = 'password_changed'

/** For how long a session knows that it has changed the password. */
export const CHANGED_SECONDS: number = 5 * 60

/**
 * @param session Session of the request that has changed the password.
 * @param accountId Account reference.
 * @param clock Clock of the application.
 */
export async function notePasswordChange(session: Session, accountId: string, clock: Clock): Promise<void> {
  await session.set(CHANGED_KEY, { identifier: accountId, at: clock.timestamp() })
}

/**
 * @param session Session of the request.
 * @param accountId Account reference.
 * @param clock Clock of the application.
 * @returns Whether this session has changed the password of the account within the last minutes.
 */
export async function hasChangedPassword(
  session: Session,
  accountId: string,
  clock: Clock,
): Promise<boolean> {
  const entry = await session.get(CHANGED_KEY)
  if (typeof entry !== 'object' || entry === null) return false
  const { identifier, at }: Readonly<Record<string, unknown>> = { ...entry }
  const age = clock.timestamp() - Number(at)
  return identifier === accountId && age >= 0 && age < CHANGED_SECONDS
}

import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import { z } from 'zod'
import { PENDING_LOGIN_SECONDS } from '../limits/limits.ts'

/** Session key of the pending second-factor challenge. */
export const PENDING_LOGIN_KEY = '_2fa'

// Session key of its challenge, under which the account store counts attempts. Separate from `_2fa`.
const CHALLENGE_KEY = 'challenge'

const pendingSchema = z.strictObject({ identifier: z.string().min(1), expires_at: z.int() })
const challengeSchema = z.object({ id: z.string().min(1), by_password: z.boolean() })

/**
 * A login that has passed the password and waits for the second factor. It is an anonymous session whose entry `_2fa` has
 * exactly these members:
 *
 * - `identifier`: non-empty string, the account reference;
 * - `expires_at`: integer, Unix timestamp in seconds. The challenge ends at that second.
 */
export interface PendingLogin {
  readonly identifier: string
  readonly expiresAt: number
}

/** What the account store counts the attempts of a pending login by. */
export interface PendingChallengeEntry {
  readonly id: string
  /** Whether the password was typed. Written with the identifier, so that no other request makes more of a proof. */
  readonly isByPassword: boolean
}

/**
 * Writes a challenge. The caller must have ended the previous identity with `logout()`. `isByMail`: a link in a mail stood for the password.
 *
 * @throws {TypeError} If the identifier is empty.
 */
export async function beginPendingLogin(
  session: Session,
  pending: { readonly identifier: string; readonly challengeId: string; readonly isByMail: boolean },
  clock: Clock,
): Promise<void> {
  const { identifier, challengeId: id, isByMail } = pending
  if (identifier === '') throw new TypeError('Cannot begin a challenge for an empty identifier')
  await session.set(PENDING_LOGIN_KEY, { identifier, expires_at: clock.timestamp() + PENDING_LOGIN_SECONDS })
  await session.set(CHALLENGE_KEY, { id, by_password: !isByMail })
}

/** @returns Whether the session holds a challenge in any state: live, expired or malformed. */
export function hasPendingLogin(session: Session): Promise<boolean> {
  return session.has(PENDING_LOGIN_KEY)
}

/** @returns The challenge of the session; undefined when there is none, or it is expired or malformed. */
export async function readPendingLogin(session: Session, clock: Clock): Promise<PendingLogin | undefined> {
  return parsePendingLogin(await session.get(PENDING_LOGIN_KEY), clock.timestamp())
}

/** @returns Account of the session's challenge, even when it has expired; for the audit trail only. */
export async function pendingAccount(session: Session): Promise<string | null> {
  return pendingSchema.safeParse(await session.get(PENDING_LOGIN_KEY)).data?.identifier ?? null
}

/** Removes a challenge in any state. `logout()` never does. */
export async function discardPendingLogin(session: Pick<Session, 'remove'>): Promise<void> {
  for (const key of [PENDING_LOGIN_KEY, CHALLENGE_KEY]) await session.remove(key)
}

/** @returns Its challenge; undefined when there is none. */
export async function challengeOf(session: Session): Promise<PendingChallengeEntry | undefined> {
  const { data } = challengeSchema.safeParse(await session.get(CHALLENGE_KEY))
  return data && { id: data.id, isByPassword: data.by_password }
}

/**
 * @returns What is exactly two members of the right types, and live. It is expired, too, when its end is further away than its lifetime:
 *   the clock was then set back.
 */
export function parsePendingLogin(value: unknown, now: number): PendingLogin | undefined {
  const { data } = pendingSchema.safeParse(value)
  if (data === undefined) return undefined
  const left = data.expires_at - now
  return left > 0 && left <= PENDING_LOGIN_SECONDS
    ? { identifier: data.identifier, expiresAt: data.expires_at }
    : undefined
}

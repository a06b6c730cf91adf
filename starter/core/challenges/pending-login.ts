import { randomUUID } from 'node:crypto'
import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'

/** Session key of the pending second-factor challenge. */
export const PENDING_LOGIN_KEY = '_2fa'

/** Session key of the challenge's identifier, under which the account store counts attempts. Separate from `_2fa`. */
export const CHALLENGE_KEY = 'challenge'

/** Session key of the factor that was chosen for the second door. Separate from `_2fa`. */
export const CHOSEN_FACTOR_KEY = 'second_door'

/** Lifetime of a challenge. */
export const PENDING_LOGIN_SECONDS = 300

/**
 * A login that has passed the password and waits for the second factor. It is an anonymous session whose entry `_2fa` has
 * exactly these members:
 *
 * - `identifier`: non-empty string, the account reference;
 * - `expires_at`: integer, Unix timestamp in seconds. The challenge ends at that second.
 */
export interface PendingLogin {
  /** The account reference. */
  readonly identifier: string
  /** Unix timestamp at which the challenge ends. */
  readonly expiresAt: number
}

/** @returns An identifier for a new challenge. */
export function newChallengeIdentifier(): string {
  return randomUUID()
}

/**
 * Writes a challenge. The caller must have ended the previous identity with `logout()`.
 *
 * @param pending `identifier`: non-empty account reference; `challengeId`: identifier of the challenge. Default: a new one.
 * @throws {TypeError} If the identifier is empty.
 */
export async function beginPendingLogin(
  session: Session,
  pending: { readonly identifier: string; readonly challengeId?: string },
  clock: Clock,
): Promise<void> {
  const { identifier, challengeId = newChallengeIdentifier() } = pending
  if (identifier === '') throw new TypeError('Cannot begin a challenge for an empty identifier')
  await session.set(PENDING_LOGIN_KEY, { identifier, expires_at: clock.timestamp() + PENDING_LOGIN_SECONDS })
  await session.set(CHALLENGE_KEY, challengeId)
}

/** @returns Whether the session holds a challenge in any state: live, expired or malformed. */
export function hasPendingLogin(session: Session): Promise<boolean> {
  return session.has(PENDING_LOGIN_KEY)
}

/**
 * Reads the live challenge of a session. Without a session cookie no storage is accessed.
 *
 * @returns The challenge; undefined when there is none, or it is expired or malformed.
 */
export async function readPendingLogin(session: Session, clock: Clock): Promise<PendingLogin | undefined> {
  return parsePendingLogin(await session.get(PENDING_LOGIN_KEY), clock.timestamp())
}

/** @returns Account of the session's challenge, even when it has expired; for the audit trail only. */
export async function pendingAccount(session: Session): Promise<string | null> {
  return readShape(await session.get(PENDING_LOGIN_KEY))?.identifier ?? null
}

/** Removes a challenge in any state. `logout()` never does. */
export async function discardPendingLogin(session: Pick<Session, 'remove'>): Promise<void> {
  await session.remove(PENDING_LOGIN_KEY)
  await session.remove(CHALLENGE_KEY)
  await session.remove(CHOSEN_FACTOR_KEY)
}

/** @returns Identifier of its challenge; undefined when there is none. */
export async function challengeOf(session: Session): Promise<string | undefined> {
  const stored = await session.get(CHALLENGE_KEY)
  return typeof stored === 'string' && stored !== '' ? stored : undefined
}

/** @returns Identifier of its challenge; created when missing, which happens only for sessions not written by this code. */
export async function challengeIdentifier(session: Session): Promise<string> {
  const stored = await challengeOf(session)
  if (stored !== undefined) return stored
  const identifier = newChallengeIdentifier()
  await session.set(CHALLENGE_KEY, identifier)
  return identifier
}

/**
 * Parses `_2fa` strictly: exactly two members of the right types.
 *
 * @returns The challenge; undefined when it is malformed or expired. It counts as expired, too, when its end is further away
 * than its lifetime, because the clock was then set back.
 */
export function parsePendingLogin(value: unknown, now: number): PendingLogin | undefined {
  const pending = readShape(value)
  if (pending === undefined) return undefined
  const left = pending.expiresAt - now
  return left > 0 && left <= PENDING_LOGIN_SECONDS ? pending : undefined
}

function readShape(value: unknown): PendingLogin | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const fields: { readonly identifier?: unknown; readonly expires_at?: unknown } = value
  const { identifier, expires_at: expiresAt } = fields
  if (typeof identifier !== 'string' || identifier === '') return undefined
  if (typeof expiresAt !== 'number' || !Number.isSafeInteger(expiresAt)) return undefined
  if (Object.keys(value).length !== 2) return undefined
  return { identifier, expiresAt }
}

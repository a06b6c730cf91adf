import { randomUUID } from 'node:crypto'
import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'

/** Session key of the pending second-factor challenge. */
export const PENDING_LOGIN_KEY = '_2fa'

/** Session key of the challenge's identifier, under which the account store counts tries. Kept beside `_2fa`. */
export const CHALLENGE_KEY = 'challenge'

/** How long a challenge lives. */
export const PENDING_LOGIN_SECONDS = 300

/**
 * A login that passed the password and waits for the second factor. It is an anonymous session that carries, under
 * `_2fa`, exactly:
 *
 * - `identifier`: non-empty string, the account reference;
 * - `expires_at`: integer, Unix timestamp in seconds. At that second the challenge is over.
 */
export interface PendingLogin {
  /** The account reference. */
  readonly identifier: string
  /** Unix timestamp at which the challenge is over. */
  readonly expiresAt: number
}

/**
 * @returns An identifier for a new challenge.
 */
export function newChallengeIdentifier(): string {
  return randomUUID()
}

/**
 * Writes a challenge. The caller has ended the previous identity with `logout()` before.
 *
 * @param session Session of the request.
 * @param pending `identifier`: non-empty account reference; `challengeId`: identifier of the challenge. Default: a new one.
 * @param clock Clock of the application.
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

/**
 * @param session Session of the request.
 * @returns Whether the session holds a challenge at all, live, over or malformed.
 */
export function hasPendingLogin(session: Session): Promise<boolean> {
  return session.has(PENDING_LOGIN_KEY)
}

/**
 * Reads the live challenge of a session. Without a session cookie no storage is opened.
 *
 * @param session Session of the request.
 * @param clock Clock of the application.
 * @returns The challenge; undefined when there is none, it is over, or it is malformed.
 */
export async function readPendingLogin(session: Session, clock: Clock): Promise<PendingLogin | undefined> {
  return parsePendingLogin(await session.get(PENDING_LOGIN_KEY), clock.timestamp())
}

/**
 * @param session Session of the request.
 * @returns Account of the challenge that the session holds, also when it is over; for the audit trail only.
 */
export async function pendingAccount(session: Session): Promise<string | null> {
  return readShape(await session.get(PENDING_LOGIN_KEY))?.identifier ?? null
}

/**
 * Removes a challenge, live or not. `logout()` never does.
 *
 * @param session Session of the request.
 */
export async function discardPendingLogin(session: Session): Promise<void> {
  await session.remove(PENDING_LOGIN_KEY)
  await session.remove(CHALLENGE_KEY)
}

/**
 * @param session Session of the request.
 * @returns Identifier of its challenge, made when the session has none; only a session written by hand has none.
 */
export async function challengeIdentifier(session: Session): Promise<string> {
  const stored = await session.get(CHALLENGE_KEY)
  if (typeof stored === 'string' && stored !== '') return stored
  const identifier = newChallengeIdentifier()
  await session.set(CHALLENGE_KEY, identifier)
  return identifier
}

/**
 * Reads `_2fa` strictly: both members of their type, and no other.
 *
 * @param value What the session holds.
 * @param now Unix timestamp in seconds.
 * @returns The challenge; undefined when it is malformed, or over: `now` is at or after its end, or so far before it
 * that the clock was set back since it began.
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

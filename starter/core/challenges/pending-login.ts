import { PENDING_LOGIN_SECONDS } from '../limits/limits.ts'
import { randomUUID } from 'node:crypto'
import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { UsableFactor } from '../factors/second-factors.ts'

/** Session key of the pending second-factor challenge. */
export const PENDING_LOGIN_KEY = '_2fa'

/** Session key of the challenge's identifier, under which the account store counts attempts. Separate from `_2fa`. */
export const CHALLENGE_KEY = 'challenge'

/** Session key of the factor that was chosen for the second door. Separate from `_2fa`. */
export const CHOSEN_FACTOR_KEY = 'second_door'

// The challenge before which the password was proven. Where it is another one, or none, something else stood for the password: whatever
// a request at the same time removes of a session, it never makes more of a proof. Separate from `_2fa`.
const PASSWORD_KEY = 'challenge_by_password'

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

/** @returns An identifier for a new challenge. */
export function newChallengeIdentifier(): string {
  return randomUUID()
}

/**
 * Writes a challenge. The caller must have ended the previous identity with `logout()`.
 *
 * @param pending `challengeId`: identifier of the challenge. Default: a new one. `isByMail`: a link in a mail stood for the password.
 * @throws {TypeError} If the identifier is empty.
 */
export async function beginPendingLogin(
  session: Session,
  pending: {
    readonly identifier: string
    readonly challengeId?: string
    readonly isByMail?: boolean | undefined
  },
  clock: Clock,
): Promise<void> {
  const { identifier, challengeId = newChallengeIdentifier(), isByMail = false } = pending
  if (identifier === '') throw new TypeError('Cannot begin a challenge for an empty identifier')
  if (!isByMail) await session.set(PASSWORD_KEY, challengeId)
  await session.set(PENDING_LOGIN_KEY, { identifier, expires_at: clock.timestamp() + PENDING_LOGIN_SECONDS })
  await session.set(CHALLENGE_KEY, challengeId)
}

/** @returns Whether the session holds a challenge in any state: live, expired or malformed. */
export function hasPendingLogin(session: Session): Promise<boolean> {
  return session.has(PENDING_LOGIN_KEY)
}

/** @returns The challenge of the session; undefined when there is none, or it is expired or malformed. */
export async function readPendingLogin(session: Session, clock: Clock): Promise<PendingLogin | undefined> {
  return parsePendingLogin(await session.get(PENDING_LOGIN_KEY), clock.timestamp())
}

/** @returns Whether something else, such as a link in a mail, stood for the password of its challenge. */
export async function isPendingByMail(session: Session): Promise<boolean> {
  const challengeId = await challengeOf(session)
  return challengeId === undefined || (await session.get(PASSWORD_KEY)) !== challengeId
}

/** @returns Account of the session's challenge, even when it has expired; for the audit trail only. */
export async function pendingAccount(session: Session): Promise<string | null> {
  return readShape(await session.get(PENDING_LOGIN_KEY))?.identifier ?? null
}

/** Removes a challenge in any state. `logout()` never does. */
export async function discardPendingLogin(session: Pick<Session, 'remove'>): Promise<void> {
  for (const key of [PENDING_LOGIN_KEY, CHALLENGE_KEY, CHOSEN_FACTOR_KEY, PASSWORD_KEY])
    await session.remove(key)
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
 * Remembers which factor the pending login goes on with. It is application state beside `_2fa`, never in it.
 *
 * @param id Identifier of the factor. One that opens the door no more is ignored by `chosenFactor()`.
 */
export async function chooseFactor(session: Session, id: string): Promise<void> {
  await session.set(CHOSEN_FACTOR_KEY, id)
}

/**
 * @param usable Factors of the account of the pending login, the one that was used last first.
 * @returns The one that was chosen; otherwise the first one that is not locked. What stands in for a factor is asked for only when it
 *   is chosen.
 */
export async function chosenFactor(
  session: Session,
  usable: readonly UsableFactor[],
): Promise<UsableFactor | undefined> {
  const id = await session.get(CHOSEN_FACTOR_KEY)
  const isReady = ({ is, lockedSeconds }: UsableFactor): boolean => is.isHeld && lockedSeconds === 0
  return usable.find((factor) => factor.id === id) ?? usable.find(isReady) ?? usable[0]
}

/**
 * Parses `_2fa` strictly: exactly two members of the right types.
 *
 * @returns The challenge; undefined when it is malformed or expired. It counts as expired, too, when its end is further away
 *   than its lifetime, because the clock was then set back.
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

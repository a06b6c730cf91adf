import { randomUUID } from 'node:crypto'
import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import { ENROLLMENT_SECONDS } from './unverified-totp.ts'

/** Session key of an enrollment. */
export const ENROLLMENT_KEY = 'enrollment'

/**
 * An account whose password was proven in this session and that is about to get its first factor. The session stays anonymous
 * until the factor is proven and its recovery codes were seen; the entry is application state and never part of `_2fa`.
 */
export interface PendingEnrollment {
  /** The account reference. */
  readonly identifier: string
  /** Identifier under which the account store ends the enrollment, once. */
  readonly id: string
  /** Whether the factor is enabled and only the recovery codes have to be acknowledged. */
  readonly isProven: boolean
}

/**
 * Begins an enrollment. The caller must have ended the previous identity with `logout()`, and keeps the credential version.
 *
 * @param session Session of the request.
 * @param identifier Non-empty account reference.
 * @param clock Clock of the application.
 * @returns The enrollment.
 */
export async function beginEnrollment(
  session: Session,
  identifier: string,
  clock: Clock,
): Promise<PendingEnrollment> {
  const id = randomUUID()
  await session.set(ENROLLMENT_KEY, {
    identifier,
    id,
    is_proven: false,
    expires_at: clock.timestamp() + ENROLLMENT_SECONDS,
  })
  return { identifier, id, isProven: false }
}

/**
 * @param session Session of the request.
 * @param clock Clock of the application.
 * @returns The live enrollment; undefined when there is none, or it has expired or is malformed.
 */
export async function readEnrollment(session: Session, clock: Clock): Promise<PendingEnrollment | undefined> {
  const value = await session.get(ENROLLMENT_KEY)
  if (typeof value !== 'object' || value === null) return undefined
  const entry: Readonly<Record<string, unknown>> = { ...value }
  const { identifier, id, is_proven: isProven, expires_at: expiresAt } = entry
  if (typeof identifier !== 'string' || identifier === '' || typeof id !== 'string') return undefined
  if (typeof isProven !== 'boolean' || !Number.isSafeInteger(expiresAt)) return undefined
  const left = Number(expiresAt) - clock.timestamp()
  return left > 0 && left <= ENROLLMENT_SECONDS ? { identifier, id, isProven } : undefined
}

/**
 * Notes that the factor is enabled. There is time again: the codes have to be written down.
 *
 * @param session Session of the request.
 * @param enrollment The enrollment.
 * @param clock Clock of the application.
 */
export async function markProven(
  session: Session,
  { identifier, id }: PendingEnrollment,
  clock: Clock,
): Promise<void> {
  const expiresAt = clock.timestamp() + ENROLLMENT_SECONDS
  await session.set(ENROLLMENT_KEY, { identifier, id, is_proven: true, expires_at: expiresAt })
}

/**
 * @param session Session of the request.
 */
export async function discardEnrollment(session: Session): Promise<void> {
  await session.remove(ENROLLMENT_KEY)
}

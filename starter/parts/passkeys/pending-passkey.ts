import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import { PENDING_LOGIN_SECONDS } from '../../core/challenges/pending-login.ts'

// A passkey signed in without verifying its user, and the password is still to be proven. The session stays anonymous, and has
// an entry with exactly these members:
//
//   identifier    account reference
//   challenge_id  identifier of a challenge in the database, which ends with the login
//   expires_at    integer, Unix timestamp in seconds
//
// `_2fa` is not used: it says that the password was proven.
const PENDING_PASSKEY_KEY = 'pending_passkey'

/** A login whose passkey was proven and whose password is asked for. */
export interface PendingPasskey {
  /** Account reference. */
  readonly identifier: string
  /** Identifier of its challenge. */
  readonly challengeId: string
}

/** The same, as the session has it. */
export interface ProvenPasskey extends PendingPasskey {
  /** When the passkey was proven, as a Unix timestamp in seconds. */
  readonly provenAt: number
}

export async function beginPendingPasskey(
  session: Session,
  pending: PendingPasskey,
  clock: Clock,
): Promise<void> {
  await session.set(PENDING_PASSKEY_KEY, {
    identifier: pending.identifier,
    challenge_id: pending.challengeId,
    expires_at: clock.timestamp() + PENDING_LOGIN_SECONDS,
  })
}

export async function discardPendingPasskey(session: Pick<Session, 'remove'>): Promise<void> {
  await session.remove(PENDING_PASSKEY_KEY)
}

/**
 * Takes the entry out of the session: it counts for one password.
 *
 * @returns The login; undefined when there is none, or it has expired.
 */
export async function takePendingPasskey(session: Session, clock: Clock): Promise<ProvenPasskey | undefined> {
  const value = await session.get(PENDING_PASSKEY_KEY)
  if (typeof value !== 'object' || value === null) return undefined
  await session.remove(PENDING_PASSKEY_KEY)
  const fields: Readonly<Record<string, unknown>> = { ...value }
  const { identifier, challenge_id: challengeId, expires_at: expiresAt } = fields
  if (typeof identifier !== 'string' || typeof challengeId !== 'string') return undefined
  if (typeof expiresAt !== 'number') return undefined
  const left = expiresAt - clock.timestamp()
  if (left <= 0 || left > PENDING_LOGIN_SECONDS) return undefined
  return { identifier, challengeId, provenAt: expiresAt - PENDING_LOGIN_SECONDS }
}

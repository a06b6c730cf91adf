import { randomUUID } from 'node:crypto'
import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { Proofs } from '../sign-in-step.ts'
import { formatProofs, parseProofs } from '../sessions/proofs.ts'
import { ENROLLMENT_SECONDS } from '../factors/pending-setup.ts'

/** Session key of an enrollment. */
export const ENROLLMENT_KEY = 'enrollment'

/**
 * Why a factor is set up: `first` at the end of signing up, `required` because a rule or a reset asks for it, `replacement` in
 * place of lost ones, `kind` because a rule asks for another kind than those that the account holds and has just proven.
 */
export type EnrollmentReason = (typeof REASONS)[number]
const REASONS = ['first', 'required', 'replacement', 'kind'] as const

/**
 * An account whose password was proven in this session and that is about to get its first factor. The session stays anonymous
 * until the factor is proven and its recovery codes were seen; the entry is application state and never part of `_2fa`.
 */
export interface PendingEnrollment {
  /** The account reference. */
  readonly identifier: string
  /** Identifier under which the account store ends the enrollment, once, and of the factor that it enables. */
  readonly id: string
  /** Whether the factor is enabled and only the recovery codes have to be acknowledged. */
  readonly isProven: boolean
  /** Why it began. */
  readonly reason: EnrollmentReason
  /** Digest of the link that must be opened first; null when none must, or it was. */
  readonly link: string | null
  /** What was proven on the way, and when: it counts for a step-up after the sign-in that ends the enrollment. */
  readonly proven: Proofs
}

/** How an enrollment begins. */
export interface EnrollmentBeginning {
  /** Non-empty account reference. */
  readonly identifier: string
  /** Why it begins. Default: `first`. */
  readonly reason?: EnrollmentReason
  /** Digest of the link that must be opened first. Default: none must. */
  readonly link?: string
  /** What was proven before it, in the request that begins it or in the sign-in that it belongs to. Default: nothing. */
  readonly proven?: Proofs
}

/**
 * Begins an enrollment. The caller must have ended the previous identity with `logout()`, and keeps the credential version with
 * the identifier of the enrollment as the mark: what it changes does not end it, and is known as its own.
 *
 * @returns The enrollment.
 */
export async function beginEnrollment(
  session: Session,
  { identifier, reason = 'first', link, proven = {} }: EnrollmentBeginning,
  clock: Clock,
): Promise<PendingEnrollment> {
  const enrollment = { identifier, id: randomUUID(), isProven: false, reason, link: link ?? null, proven }
  await keepEnrollment(session, enrollment, clock)
  return enrollment
}

/** @returns The live enrollment; undefined when there is none, or it has expired or is malformed. */
export async function readEnrollment(session: Session, clock: Clock): Promise<PendingEnrollment | undefined> {
  const value = await session.get(ENROLLMENT_KEY)
  if (typeof value !== 'object' || value === null) return undefined
  const entry: Readonly<Record<string, unknown>> = { ...value }
  const { identifier, id, is_proven: isProven, link, expires_at: expiresAt } = entry
  const reason = REASONS.find((each) => each === entry['reason'])
  if (typeof identifier !== 'string' || identifier === '' || typeof id !== 'string') return undefined
  if (typeof isProven !== 'boolean' || !Number.isSafeInteger(expiresAt)) return undefined
  if (reason === undefined || (link !== null && typeof link !== 'string')) return undefined
  const left = Number(expiresAt) - clock.timestamp()
  if (left <= 0 || left > ENROLLMENT_SECONDS) return undefined
  return { identifier, id, isProven, reason, link, proven: parseProofs(entry['proven']) }
}

/**
 * Notes where an enrollment is. There is time again, for the next step. After one that lets the session do more, it is
 * {@link advanceEnrollment}.
 */
export async function keepEnrollment(
  session: Session,
  enrollment: PendingEnrollment,
  clock: Clock,
): Promise<void> {
  const { identifier, id, isProven, reason, link, proven } = enrollment
  const expiresAt = clock.timestamp() + ENROLLMENT_SECONDS
  await session.set(ENROLLMENT_KEY, {
    identifier,
    id,
    is_proven: isProven,
    reason,
    link,
    proven: formatProofs(proven),
    expires_at: expiresAt,
  })
}

/** Notes a step after which the session may do more, and gives it a new identifier: one that was known before gets no further. */
export async function advanceEnrollment(
  session: Session,
  enrollment: PendingEnrollment,
  clock: Clock,
): Promise<void> {
  await session.regenerateId()
  await keepEnrollment(session, enrollment, clock)
}

/**
 * Says what the first code of a new authenticator proves. It is a proof of the second factor where the account had no factor, or
 * where a full sign-in allowed the enrollment. In place of lost factors nothing counts: what allowed that was an earlier
 * password, a link in a mail and a waiting time, and no factor.
 *
 * @returns What is proven with it.
 */
export function provenByFirstCode({ reason, proven }: PendingEnrollment, now: number): Proofs {
  return reason === 'replacement' ? {} : { ...proven, factor: now, kind: 'totp' }
}

export async function discardEnrollment(session: Pick<Session, 'remove'>): Promise<void> {
  await session.remove(ENROLLMENT_KEY)
}

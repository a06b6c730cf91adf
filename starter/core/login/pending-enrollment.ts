import type { Clock } from 'sallyport'
import type { Session } from 'sallyport/session'
import { z } from 'zod'
import { formatProofs, parseProofs } from 'sallyport-app/sessions'
import type { Proofs } from '../sign-in-step.ts'
import { ENROLLMENT_SECONDS } from '../limits/limits.ts'

// Session key.
const ENROLLMENT_KEY = 'enrollment'

/**
 * Why a factor is set up: `first` at the end of signing up, `required` because a rule or a reset asks for it, `replacement` in
 * place of lost ones, `kind` because a rule asks for another kind than those that the account holds and has just proven.
 */
export type EnrollmentReason = (typeof REASONS)[number]
const REASONS = ['first', 'required', 'replacement', 'kind'] as const

const schema = z.object({
  identifier: z.string().min(1),
  id: z.string(),
  isProven: z.boolean(),
  reason: z.enum(REASONS),
  link: z.string().nullable(),
  proven: z.unknown(),
  expires_at: z.int(),
})

/**
 * An account whose password was proven in this session and that is about to get its first factor. The session stays anonymous
 * until the factor is proven and its recovery codes were seen; the entry is application state and never part of `_2fa`.
 */
export interface PendingEnrollment {
  readonly identifier: string
  /** Identifier under which the account store ends the enrollment, once, and of the factor that it enables. */
  readonly id: string
  /** Whether the factor is enabled and only the recovery codes have to be acknowledged. */
  readonly isProven: boolean
  readonly reason: EnrollmentReason
  /** Digest of the link that must be opened first; null when none must, or it was. */
  readonly link: string | null
  /** What was proven on the way, and when: it counts for a step-up after the sign-in that ends the enrollment. */
  readonly proven: Proofs
}

/** @returns The live enrollment; undefined when there is none, or it has expired or is malformed. */
export async function readEnrollment(session: Session, clock: Clock): Promise<PendingEnrollment | undefined> {
  const { data } = schema.safeParse(await session.get(ENROLLMENT_KEY))
  if (data === undefined) return undefined
  const { proven, expires_at: expiresAt, ...entry } = data
  const left = expiresAt - clock.timestamp()
  return left > 0 && left <= ENROLLMENT_SECONDS ? { ...entry, proven: parseProofs(proven) } : undefined
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
  const expiresAt = clock.timestamp() + ENROLLMENT_SECONDS
  const proven = formatProofs(enrollment.proven)
  await session.set(ENROLLMENT_KEY, { ...enrollment, proven, expires_at: expiresAt })
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

export async function discardEnrollment(session: Pick<Session, 'remove'>): Promise<void> {
  await session.remove(ENROLLMENT_KEY)
}

import { AuditEvent } from '../../identity/audit/audit-trail.ts'

/** Why a login restarts at the password. */
export interface Restart {
  /** What is recorded; null for nothing. */
  readonly kind: AuditEvent | null
  /** Message for the user. */
  readonly text: string
  /** What a client that prefers JSON is told. */
  readonly code: string
}

/**
 * The reasons for which a login restarts at the password. `none`: nothing waits in this session. `changed`: the credentials have changed
 * since the password was proven. `completed`: another request has completed the login. `spent` is known to the request of the last wrong code only: one that finds no attempt left may have
 * come together with right codes, and is told that the login is over.
 */
export const Restart: Readonly<
  Record<'none' | 'expired' | 'changed' | 'unavailable' | 'spent' | 'over' | 'completed', Restart>
> = {
  none: { kind: null, text: 'sign-in.none', code: 'challenge_expired' },
  expired: { kind: AuditEvent.ChallengeExpired, text: 'sign-in.expired', code: 'challenge_expired' },
  changed: { kind: AuditEvent.ChallengeOutdated, text: 'sign-in.changed', code: 'challenge_expired' },
  unavailable: {
    kind: AuditEvent.AccountUnavailable,
    text: 'sign-in.unavailable',
    code: 'challenge_unavailable',
  },
  spent: { kind: AuditEvent.ChallengeSpent, text: 'sign-in.spent', code: 'challenge_spent' },
  completed: { kind: null, text: 'sign-in.over', code: 'challenge_completed' },
  over: { kind: null, text: 'sign-in.over', code: 'challenge_expired' },
}

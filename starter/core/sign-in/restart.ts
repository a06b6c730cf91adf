import { AuditEvent } from '../audit/audit-trail.ts'
import type { TurnedAway } from '../sessions/turned-away.ts'

/** Why a login restarts at the password. */
export interface Restart extends TurnedAway {
  /** What is recorded; null for nothing. */
  readonly kind: AuditEvent | null
}

/**
 * The reasons for which a login restarts at the password. `none`: nothing waits in this session. `changed`: the credentials have changed
 * since the password was proven. `spent` is known to the request of the last wrong code only: one that finds no attempt left may have
 * come together with right codes, and is told that the login is over.
 */
export const Restart: Readonly<
  Record<'none' | 'expired' | 'changed' | 'unavailable' | 'spent' | 'over', Restart>
> = {
  none: restart(null, 'sign-in.none', 'ERR_STARTER_NO_PENDING_SIGN_IN'),
  expired: restart(AuditEvent.ChallengeExpired, 'sign-in.expired', 'ERR_STARTER_CHALLENGE_EXPIRED'),
  changed: restart(AuditEvent.ChallengeOutdated, 'sign-in.changed', 'ERR_STARTER_CHALLENGE_EXPIRED'),
  unavailable: restart(AuditEvent.AccountUnavailable, 'sign-in.unavailable', 'ERR_STARTER_UNAVAILABLE'),
  spent: restart(AuditEvent.ChallengeSpent, 'sign-in.spent', 'ERR_STARTER_CHALLENGE_SPENT'),
  over: restart(null, 'sign-in.over', 'ERR_STARTER_CHALLENGE_EXPIRED'),
}

function restart(kind: AuditEvent | null, text: string, code: string): Restart {
  return { kind, status: 409, code, detail: 'No sign-in waits for this: begin with the password', text }
}

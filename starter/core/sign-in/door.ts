import type { ShownForm } from 'sallyport/input'
import type { LimitedSubject } from 'sallyport-app/limits'
import type { Account } from '../accounts/account.ts'
import type { PasswordProof } from '../accounts/password-check.ts'
import { AuditEvent } from '../audit/audit-trail.ts'
import type { PendingChallenge } from '../factors/code-check.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import type { LockableFactor, UsableFactor } from '../factors/second-factors.ts'
import { factorName } from '../messages/factor-names.ts'
import { type WaitMessage, waitMessage } from '../pages/page-controller.ts'
import { type Moment, type PageMessage, toMoment } from '../pages/presentation.ts'
import type { TurnedAway } from '../sessions/turned-away.ts'

/** The second door of the pending login of a session, as it is in this request. */
export interface Door {
  /** Whose door it is: the password was proven in this session. */
  readonly proof: PasswordProof
  /** Identifier of the pending login. */
  readonly challengeId: string
  /** What counts the tries of this browser, where nothing is locked in it; undefined where the locks hold. */
  readonly unlock: LimitedSubject | undefined
  /** What opens it: the factors, the one that was used last first, and then what stands in for one. */
  readonly usable: readonly UsableFactor[]
  /** The kinds that the account holds. */
  readonly held: ReadonlySet<FactorKind>
  /** The kinds that open it. */
  readonly accepted: ReadonlySet<FactorKind>
}

/** The field of a form that asks for a code. */
export interface TypedCode {
  readonly code: string
}

/** A code, or a response, that was sent to the second door. */
export interface DoorAttempt {
  /** What it is of. */
  readonly factor: LockableFactor
  /** What is recorded of a wrong one. Default: `verify` has recorded it. */
  readonly refusedAs?: AuditEvent
  /** Checks it, and uses it up in a transaction that begins with `reserve` and ends with `accepted`. */
  readonly verify: (principal: Account, challenge: PendingChallenge) => Promise<boolean>
  /** What follows the sign-in. Default: nothing. */
  readonly after?: () => Promise<void>
  /** What the page says of a wrong one. Default: that the code was wrong. */
  readonly wrong?: (triesLeft: number) => CodePage
}

/** State of a page that asks for a code. */
export interface CodePage {
  /** The form. Default: an empty one. */
  readonly form?: ShownForm
  /** What does not concern the code. Default: nothing. */
  readonly warning?: PageMessage
  /** Status of the response. Default: 200. */
  readonly status?: number
  /** Headers of the response. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Why a login restarts at the password, and what is recorded. */
export interface Restart extends TurnedAway {
  readonly kind: AuditEvent | null
}

/** The reasons. `none`: nothing waits in this session. `over`: a code was accepted, or no attempt is left, or it was cancelled. */
export const Restart: Readonly<
  Record<'none' | 'expired' | 'changed' | 'unavailable' | 'spent' | 'over', Restart>
> = {
  none: restart(null, 'sign-in.none', 'ERR_APP_NO_PENDING_SIGN_IN'),
  expired: restart(AuditEvent.ChallengeExpired, 'sign-in.expired', 'ERR_APP_CHALLENGE_EXPIRED'),
  changed: restart(AuditEvent.ChallengeOutdated, 'sign-in.changed', 'ERR_APP_CHALLENGE_EXPIRED'),
  unavailable: restart(AuditEvent.AccountUnavailable, 'sign-in.unavailable', 'ERR_APP_UNAVAILABLE'),
  spent: restart(AuditEvent.ChallengeSpent, 'sign-in.spent', 'ERR_APP_CHALLENGE_SPENT'),
  over: restart(null, 'sign-in.over', 'ERR_APP_CHALLENGE_EXPIRED'),
}

function restart(kind: AuditEvent | null, text: string, code: string): Restart {
  return { kind, status: 409, code, detail: 'No sign-in waits for this: begin with the password', text }
}

/**
 * @returns The factor that the sign-in goes on with: the chosen one, otherwise the one that was used last. In the place of a locked one
 *   it is another factor of the account, the first that is not locked any more. What stands in for one is asked for when it is chosen.
 */
export function openFactor(
  usable: readonly UsableFactor[],
  chosen: UsableFactor | undefined,
): UsableFactor | undefined {
  if (chosen?.lockedSeconds === 0) return chosen
  const held = usable.filter(({ is }) => is.isHeld)
  const [first] = held.toSorted((one, other) => one.lockedSeconds - other.lockedSeconds)
  const isStuck = first === undefined || (chosen?.is.isHeld === false && first.lockedSeconds > 0)
  return isStuck ? (chosen ?? usable[0]) : first
}

/** A factor as the pages name it. */
export interface FactorChoice {
  readonly kind: FactorKind
  readonly id: string
  /** Kind and name. */
  readonly name: PageMessage
  /** Until when it is locked; undefined when it is not. */
  readonly locked: Moment | undefined
}

/** When and for whom deadlines are shown. */
export interface ChoiceTime {
  /** Unix timestamp in seconds. */
  readonly now: number
  readonly locale: string
}

/** @returns The same with a deadline, and no wait: the page ends before most locks do. */
export function choiceOf(
  { kind, id, label, lockedSeconds }: UsableFactor,
  { now, locale }: ChoiceTime,
): FactorChoice {
  const locked = lockedSeconds === 0 ? undefined : toMoment(now + lockedSeconds, locale)
  return { kind, id, name: factorName({ kind, label }), locked }
}

/** A message about locked factors, for the template `parts/warning`. */
export interface LockMessage extends PageMessage, Partial<Pick<WaitMessage, 'wait'>> {
  /** The locked factors, each with its deadline. */
  readonly locked: readonly FactorChoice[]
  /** Name of the factor that the page asks for in their place. Default: none. */
  readonly asks?: PageMessage
}

/** @returns Which factors are locked, until when, and what the page asks for all the same, or how long to wait. */
export function lockMessage(
  usable: readonly UsableFactor[],
  shown: UsableFactor | undefined,
  time: ChoiceTime,
): LockMessage {
  const waiting = usable.filter(({ lockedSeconds }) => lockedSeconds > 0)
  const locked = waiting.map((factor) => choiceOf(factor, time))
  if (shown?.lockedSeconds === 0) return { id: LOCKED, locked, asks: factorName(shown) }
  const first = Math.min(...waiting.map(({ lockedSeconds }) => lockedSeconds))
  return { ...waitMessage(LOCKED, shown?.lockedSeconds ?? first), locked }
}

/** Message of a page whose factor is locked. */
export const LOCKED = 'challenge.locked'

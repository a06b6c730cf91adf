import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Challenges } from '../challenges/challenges.ts'
import { PendingLogins } from './pending-logins.ts'
import type { PendingChallenge } from '../factors/code-check.ts'
import type { FactorKind } from '../factors/factor-kinds.ts'
import { isAsProven, LoginCompletion } from '../login/login-completion.ts'
import type { Notice } from '../mail/notices.ts'
import type { PageState } from '../pages/page-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import type { Door, NoDoor } from './door.ts'
import { DoorPages, LOCKED } from './door-pages.ts'

type Restart = NoDoor | 'spent' | 'over'

// Why a login restarts at the password, as the message `sign-in.<reason>` says, and what is recorded.
const RESTARTS: Readonly<Record<Restart, { readonly kind: AuditEvent | null; readonly code: string }>> = {
  none: { kind: null, code: 'ERR_APP_NO_PENDING_SIGN_IN' },
  expired: { kind: AuditEvent.ChallengeExpired, code: 'ERR_APP_CHALLENGE_EXPIRED' },
  changed: { kind: AuditEvent.ChallengeOutdated, code: 'ERR_APP_CHALLENGE_EXPIRED' },
  unavailable: { kind: AuditEvent.AccountUnavailable, code: 'ERR_APP_UNAVAILABLE' },
  spent: { kind: AuditEvent.ChallengeSpent, code: 'ERR_APP_CHALLENGE_SPENT' },
  // A code was accepted, or no attempt is left, or it was cancelled.
  over: { kind: null, code: 'ERR_APP_CHALLENGE_EXPIRED' },
}

/** A code, or a response, that was sent to the second door. */
export interface DoorAttempt {
  /** The kind of the page. */
  readonly kind: FactorKind
  /** What is recorded of a wrong one. Default: `verify` has recorded it. */
  readonly refusedAs?: AuditEvent
  /** Checks it, and uses it up in a transaction that begins with `reserve` and ends with `accepted`. */
  readonly verify: (challenge: PendingChallenge) => Promise<boolean>
  /** What follows the sign-in. Default: nothing. */
  readonly after?: () => Promise<void>
  /** What the page says of a wrong one. Default: that the code was wrong. */
  readonly wrong?: (triesLeft: number) => PageState
}

/** What the pages of the second door do: only the session says whose door it is. */
export class SecondDoor extends DoorPages {
  protected readonly audit: AuditTrail = inject(AuditTrail)
  protected readonly logins: PendingLogins = inject(PendingLogins)
  readonly #challenges = inject(Challenges)
  readonly #completion = inject(LoginCompletion)

  /** @throws {TurnedAwayException} If no login waits any more. */
  protected async door(): Promise<Door> {
    const found = await this.doors.find(this.context)
    return typeof found === 'string' ? this.restart(found) : found
  }

  /**
   * @param notice What its owner is told of it. Default: nothing.
   * @throws {TurnedAwayException} Always: a browser goes on at the login page, which says why, or leads on who is signed in.
   */
  protected async restart(reason: Restart, notice?: Notice): Promise<never> {
    const { context } = this
    const { kind, code } = RESTARTS[reason]
    await this.logins.end(context, kind, notice)
    const isForm = context.method() === 'POST'
    if (context.auth().isAuthenticated()) {
      const text = isForm ? 'sign-in.already' : undefined
      return this.turnAway({ ...TurnedAway.signedIn, text }, 'account:home')
    }
    // Who opens the page has begun nothing.
    const text = isForm || reason !== 'none' ? `sign-in.${reason}` : undefined
    const detail = 'No sign-in waits for this: begin with the password'
    return this.turnAway({ status: 409, code, detail, text }, 'account:login')
  }

  /**
   * Checks a code, and completes the login with a right one: the attempt is counted, the code used up and the login recorded in one
   * transaction. A wrong code is recorded, and the last one ends the pending login.
   */
  protected async attempt(
    door: Door,
    form: Submitted<object>,
    attempt: DoorAttempt,
  ): Promise<View | Response> {
    const { proof, unlock, usable } = door
    const { identifier, challengeId: id } = proof
    const login = await this.#completion.prepare(this.context, { ...proof, form: form.refuse() })
    let triesLeft: number | undefined
    let { kind } = attempt
    let isAccepted: boolean
    try {
      isAccepted = await attempt.verify({
        id,
        client: clientOf(this.context),
        unlock,
        kinds: new Set(usable.map((factor) => factor.kind)),
        reserve: async (database) => {
          if (!(await isAsProven(database, proof))) return false
          triesLeft = await this.#challenges.reserve(id, identifier, database)
          return triesLeft !== undefined
        },
        accepted: async (database, proven) => {
          if (!(await this.#challenges.end(id, database))) return false
          await login.record(database, proven)
          kind = proven
          return true
        },
      })
    } catch (error) {
      return this.pageOf(kind, await this.door(), { ...this.locked(error, LOCKED), form: form.refuse() })
    }
    if (triesLeft === undefined) return this.restart('over')
    if (!isAccepted) return this.#refuse(door, form, { ...attempt, triesLeft })
    const target = await login.enter({ ...proof.proven, factor: this.clock.timestamp(), kind })
    await attempt.after?.()
    return this.redirect(target)
  }

  async #refuse(
    { proof }: Door,
    form: Submitted<object>,
    { kind, refusedAs, wrong, triesLeft }: DoorAttempt & { readonly triesLeft: number },
  ): Promise<View | Response> {
    const { identifier: accountId, challengeId, isByMail } = proof
    if (refusedAs !== undefined)
      await this.audit.record({ kind: refusedAs, accountId, ...clientOf(this.context), challengeId })
    const now = await this.door()
    const isLocked = now.usable.some((factor) => factor.kind === kind && factor.lockedSeconds > 0)
    if (triesLeft === 0) {
      const notice = isByMail === true ? 'factor-refused-by-link' : 'factor-refused'
      // A lock has a mail of its own.
      return this.restart('spent', isLocked ? undefined : { kind: notice, accountId })
    }
    if (isLocked) return this.pageOf(kind, now, { status: 422, form: form.refuse() })
    const fault = { field: 'code', code: 'wrong_code', fallback: 'That code is wrong', domain: 'auth' }
    const state = wrong?.(triesLeft) ?? { form: form.refuse({ ...fault, parameters: { triesLeft } }) }
    return this.pageOf(kind, now, { ...state, status: 422 })
  }
}

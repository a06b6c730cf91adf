import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { clientOf } from 'sallyport-app/clients'
import { Users } from '../accounts/users.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import { EnrollmentStart } from '../login/enrollment-start.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import { leaveLogin } from '../login/sign-out.ts'
import { PageController } from '../pages/page-controller.ts'
import { Parts } from '../part.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import type { SigningIn, StandIn } from '../sign-in-step.ts'
import { PendingLogins } from './pending-logins.ts'

/** What all beginnings of a sign-in have in common: what ends with them, and where they go on. */
export class FirstDoor extends PageController {
  protected readonly sessions: SessionAuthentication = inject(SessionAuthentication)
  protected readonly audit: AuditTrail = inject(AuditTrail)
  protected readonly completion: LoginCompletion = inject(LoginCompletion)
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #logins = inject(PendingLogins)
  readonly #enrollments = inject(EnrollmentStart)
  readonly #users = inject(Users)
  readonly #lost = inject(Parts).lostFactors
  readonly #steps = inject(Parts).services('signIn')

  /** To be called first of all: whatever the outcome of this login, an earlier one ends. Who is signed in is turned away. */
  protected async begin(): Promise<void> {
    const { context } = this
    await leaveLogin(context)
    const accountId = await this.sessions.identifier(context.session())
    if (accountId === null) return
    await this.audit.record({ kind: AuditEvent.LoginRefused, accountId, ...clientOf(context) })
    // An account that may no longer sign in has no page, and its session still names it.
    const route = context.auth().isAuthenticated() ? 'account:home' : 'account:login'
    this.turnAway({ ...TurnedAway.signedIn, text: 'sign-in.sign-out-first' }, route)
  }

  /**
   * Goes on after the right password, or what stood for it: to the session, the second door, or the set-up of a factor. Returns the path of
   * the next page; undefined when the account is no longer as it was proven.
   */
  protected async goOn(found: SigningIn): Promise<string | undefined> {
    const proven = found.isByMail === true ? {} : { password: this.clock.timestamp() }
    const proof = { ...found, proven }
    if (!(await this.#factors.isRequired(proof.identifier))) {
      const duty = await this.#policy.dutyOf(proof.identity)
      return duty?.isDue === true ? this.#enroll(proof) : this.completion.completeOnce(this.context, proof)
    }
    const standIn = proof.isByMail === true ? undefined : await this.#standIn(proof)
    if (standIn === undefined) return this.#secondDoor(proof)
    const { kind, useUp, after } = standIn
    const by = { ...proof, proven: { ...proven, kind } }
    const path = await this.completion.completeOnce(this.context, by, useUp)
    await after()
    // What does not stand in leaves the second door.
    return path ?? this.#secondDoor(proof)
  }

  async #standIn(proof: SigningIn): Promise<StandIn | undefined> {
    for (const step of this.#steps) {
      const found = await step.standIn?.(this.context, proof)
      if (found !== undefined) return found
    }
    return undefined
  }

  async #secondDoor(proof: SigningIn, route = 'account:challenge'): Promise<string> {
    await this.#logins.begin(this.context, proof)
    return this.context.url(route)
  }

  // A factor must be set up. Whoever has only the mailbox, where the password came from, could have come this far.
  async #enroll(proof: SigningIn): Promise<string> {
    const { context } = this
    const { identifier: accountId } = proof
    if (proof.isByMail === true) return this.turnAway(TurnedAway.passwordFirst, 'account:login')
    if (!(await this.#users.hasMailPassword(accountId))) {
      await this.audit.record({ kind: AuditEvent.EnrollmentRequired, accountId, ...clientOf(context) })
      await this.#enrollments.begin(context, proof, 'required')
      return context.url('enrollment:start')
    }
    if (this.#lost !== undefined) return this.#secondDoor(proof, this.#lost)
    return this.turnAway({ ...TurnedAway.noFactor, text: 'sign-in.no-factor' }, 'account:login')
  }
}

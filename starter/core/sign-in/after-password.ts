import { Clock, type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { clientOf } from 'sallyport-app/clients'
import { MailPasswords } from '../accounts/mail-password.ts'
import type { PasswordProof } from '../accounts/password-check.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { beginPendingLogin, newChallengeIdentifier } from '../challenges/pending-login.ts'
import { EnrollmentStart } from '../enrollment/enrollment-start.ts'
import { NO_WAY_ON } from '../factor-replacement.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import { Parts } from '../part.ts'
import { keepCredentialVersion } from '../sessions/session-credentials.ts'
import { TurnedAway, TurnedAwayException } from '../sessions/turned-away.ts'
import { SignInSteps } from '../sign-in-steps.ts'

/** Where a sign-in goes on after the right password, or what stood for it: to the session, the second door, or the set-up of a factor. */
export class AfterPassword {
  readonly #factors = inject(SecondFactors)
  readonly #policy = inject(FactorPolicy)
  readonly #steps = inject(SignInSteps)
  readonly #completion = inject(LoginCompletion)
  readonly #enrollments = inject(EnrollmentStart)
  readonly #byMail = inject(MailPasswords)
  readonly #sessions = inject(SessionAuthentication)
  readonly #audit = inject(AuditTrail)
  readonly #lost = inject(Parts).lostFactors
  readonly #clock = inject(Clock)

  /** @returns Path of the next page; undefined when the account is no longer as it was proven. */
  async goOn(context: HttpContext, proof: PasswordProof): Promise<string | undefined> {
    const held = await this.#factors.kinds(proof.identifier)
    const isByMail = proof.isByMail === true
    const proven = { ...proof, proven: isByMail ? {} : { password: this.#clock.timestamp() } }
    if (held.size === 0) {
      if ((await this.#policy.dutyOf(proof.identity, held))?.isDue === true)
        return this.#enroll(context, proof)
      return this.#completion.completeOnce(context, proven, { held })
    }
    const found = isByMail ? undefined : await this.#steps.standIn(context, proof)
    if (found === undefined) return this.#secondDoor(context, proof)
    const { standIn, useUp, after } = found
    const by = { ...proof, proven: { ...proven.proven, standIn } }
    const path = await this.#completion.completeOnce(context, by, { consume: useUp, held })
    await after()
    // What does not stand in leaves the second door.
    return path ?? this.#secondDoor(context, proof)
  }

  async #secondDoor(
    context: HttpContext,
    { identifier, identity, isByMail = false }: PasswordProof,
    route = 'account:challenge',
  ): Promise<string> {
    const session = context.session()
    const challengeId = newChallengeIdentifier()
    const entry = { accountId: identifier, ...clientOf(context), challengeId }
    // Before the session is changed: a login that cannot be recorded does not happen.
    if (!isByMail) await this.#audit.record({ kind: AuditEvent.PasswordAccepted, ...entry })
    // logout() instead of regenerateId(): nothing of an earlier identity may remain in this session.
    await this.#sessions.logout(session, context.auth(), { keepNewer: true })
    await beginPendingLogin(session, { identifier, challengeId, isByMail }, this.#clock)
    await keepCredentialVersion(session, identity.credentialVersion)
    // The next page has a form: the secret of its token is written with the rest of the session.
    await context.csrf().token()
    return context.url(route)
  }

  // A factor must be set up. Whoever has only the mailbox, where the password came from, could have come this far.
  async #enroll(context: HttpContext, proof: PasswordProof): Promise<string> {
    const { identifier: accountId } = proof
    if (proof.isByMail === true)
      throw new TurnedAwayException(TurnedAway.passwordFirst, context.url('account:login'))
    if (!(await this.#byMail.isOneProof(accountId))) {
      await this.#audit.record({ kind: AuditEvent.EnrollmentRequired, accountId, ...clientOf(context) })
      await this.#enrollments.begin(context, accountId, 'required')
      return context.url('enrollment:start')
    }
    if (this.#lost !== NO_WAY_ON) return this.#secondDoor(context, proof, this.#lost.route)
    const why = { ...TurnedAway.noFactor, text: 'sign-in.no-factor' }
    throw new TurnedAwayException(why, context.url(NO_WAY_ON.route))
  }
}

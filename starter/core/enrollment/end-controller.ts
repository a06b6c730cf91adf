import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { keepCredentialVersion } from 'sallyport-app/sessions'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import type { EnrollmentReason } from '../login/pending-enrollment.ts'
import { signOut } from '../login/sign-out.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { type Enrolling, EnrollingController } from './enrolling-controller.ts'

/** The end of an enrollment: its owner keeps the recovery codes and is signed in, or it is cancelled. */
export class EnrollmentEndController extends EnrollingController {
  static readonly actions: Actions<EnrollmentEndController> = { codesPost: [], donePost: [], cancelPost: [] }

  readonly #codes = inject(RecoveryCodes)
  readonly #completion = inject(LoginCompletion)

  /** Makes new recovery codes, for someone who did not see or keep those of the first proof. The earlier ones stop counting. */
  async codesPost(): Promise<View | Response> {
    const { held, proof } = await this.#proven()
    try {
      const by = { accountId: proof.identifier, ...clientOf(this.context), ...held }
      const renewed = await this.#codes.renew(by)
      if (renewed === undefined) return this.turnAway(TurnedAway.outOfDate, 'enrollment:start')
      await keepCredentialVersion(this.context.session(), renewed.credentialVersion)
      return this.codesPage(renewed.set.codes)
    } catch (error) {
      return this.provenPage(this.locked(error, 'enrollment.locked'))
    }
  }

  /** Signs in: address, password and factor were proven, and the recovery codes acknowledged. */
  async donePost(): Promise<View | Response> {
    const { enrollment, proof } = await this.#proven()
    const { id, proven } = enrollment
    const login = { ...proof, proven }
    const target = await this.#completion.completeOnce(this.context, login, (database) =>
      this.challenges.end(id, database),
    )
    if (target === undefined) return this.turnAway(TurnedAway.outOfDate, 'enrollment:start')
    return this.redirect(target)
  }

  /** Cancels what has changed nothing yet: once the factor is set up, it stays. */
  async cancelPost(): Promise<View | Response> {
    const { context } = this
    if (context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const found = await this.find()
    const pending = typeof found === 'string' ? undefined : found.enrollment
    if (pending !== undefined && (pending.isProven || !(await this.challenges.end(pending.id))))
      return this.turnAway(TurnedAway.outOfDate, 'enrollment:start')
    await signOut(context, this.sessions)
    if (pending === undefined) return this.redirectToRoute('account:login')
    return this.redirectSaying(context.url('account:login'), CANCELLED[pending.reason])
  }

  // The form of a later step, posted too early, loses nothing: the page of the step that is due says what it asks for.
  async #proven(): Promise<Enrolling> {
    const enrolling = await this.enrolling()
    if (enrolling.enrollment.isProven) return enrolling
    const why = { ...TurnedAway.outOfDate, text: 'enrollment.too-early' }
    return this.turnAway(why, await this.setUpRoute(enrolling))
  }
}

const CANCELLED: Readonly<Record<EnrollmentReason, string>> = {
  first: 'enrollment.cancelled',
  required: 'enrollment.cancelled-required',
  replacement: 'enrollment.cancelled-replacement',
  kind: 'enrollment.cancelled-required',
}

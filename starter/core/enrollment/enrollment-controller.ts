import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../clients/client.ts'
import {
  advanceEnrollment,
  discardEnrollment,
  type EnrollmentReason,
  provenByFirstCode,
  readEnrollment,
} from '../login/pending-enrollment.ts'
import { type EnrolledFactor, TotpEnrollment } from './totp-enrollment.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { Notices } from '../mail/notices.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import { keepCredentialVersion } from '../sessions/session-credentials.ts'
import { AUTHENTICATOR } from '../messages/factor-names.ts'
import { authenticatorCode } from '../pages/code-fields.ts'
import { codesPage } from '../pages/presentation.ts'
import { pictureOf } from '../pages/totp-picture.ts'
import type { FormPage, PageState } from '../pages/page-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { type Enrolling, EnrollingController } from './enrolling-controller.ts'

/** Fields of the form. */
interface Code {
  readonly code: string
}

const codeSchema: z.ZodType<Code> = z.object({ code: authenticatorCode })

/** The first factor of an account: scan, prove, keep the recovery codes, and only then sign in. */
export class EnrollmentController extends EnrollingController {
  /** Actions and their parameters. */
  static readonly actions: Actions<EnrollmentController> = {
    index: [],
    indexPost: [form(codeSchema)],
    codesPost: [],
    donePost: [],
    cancelPost: [],
  }

  readonly #enrollment = inject(TotpEnrollment)
  readonly #codes = inject(RecoveryCodes)
  readonly #completion = inject(LoginCompletion)
  readonly #notices = inject(Notices)

  /** @returns The page with the secret; once it is proven, the page that offers the recovery codes again. */
  async index(): Promise<View | Response> {
    const enrolling = await this.enrolling()
    if (enrolling === undefined) return this.restart()
    const { isProven, link } = enrolling.enrollment
    if (isProven) return this.#provenPage()
    if (link !== null) return this.mailPage(enrolling)
    const route = await this.setUpRoute(enrolling)
    if (route !== HERE) return this.redirectToRoute(route)
    return this.#setupPage(enrolling, { form: blankForm() })
  }

  /**
   * Proves the secret with its first code, and shows the recovery codes: in the response itself, because they are kept nowhere.
   *
   * @param form The form. What is not six digits is refused at once, and is no attempt.
   * @returns The recovery codes; for a wrong code the page with the error.
   */
  async indexPost(form: Submitted<Code>): Promise<View | Response> {
    const enrolling = await this.enrolling()
    if (enrolling === undefined) return this.restart()
    const { isProven, link } = enrolling.enrollment
    // The code was not looked at: the page says where the set-up is.
    if (isProven || link !== null) return this.#outOfDate()
    const route = await this.setUpRoute(enrolling)
    if (route !== HERE) return this.turnAway(TurnedAway.outOfDate, route)
    const { principal } = enrolling.proof.identity
    if (!form.ok) return this.#setupPage(enrolling, { form, status: 422 })
    let enrolled: EnrolledFactor | 'outdated' | 'gone' | null
    try {
      enrolled = await this.#enrollmentOf(enrolling).prove(principal, {
        factorId: enrolling.enrollment.id,
        code: form.value.code,
        ...enrolling.held,
        ...clientOf(this.context),
      })
    } catch (error) {
      const locked = this.locked(error, 'enrollment.locked')
      return this.#setupPage(enrolling, { form: form.refuse(), ...locked })
    }
    // Another request may have gone on, or have ended it.
    if (typeof enrolled === 'string') return this.#outOfDate()
    if (enrolled === null) return this.#setupPage(enrolling, { form: form.refuse(WRONG_CODE), status: 422 })

    const session = this.context.session()
    await keepCredentialVersion(session, enrolled.credentialVersion)
    const proven = provenByFirstCode(enrolling.enrollment, this.clock.timestamp())
    await advanceEnrollment(session, { ...enrolling.enrollment, isProven: true, proven }, this.clock)
    const label = this.translate(AUTHENTICATOR)
    if (enrolling.enrollment.reason === 'replacement') await this.replacement.tell(principal.id, label)
    else await this.#notices.tell(principal.id, 'factor-added', { label })
    return this.#codesPage(enrolled.codes)
  }

  /**
   * Makes new recovery codes, for someone who did not see or keep those of the first proof.
   *
   * @returns The codes; the earlier ones stop counting. Before the first code was right, a redirect to the step that is due.
   */
  async codesPost(): Promise<View | Response> {
    try {
      return await this.persist((enrolling) => this.#renewCodes(enrolling))
    } catch (error) {
      return this.#provenPage(this.locked(error, 'enrollment.locked'))
    }
  }

  async #renewCodes(enrolling: Enrolling): Promise<View | Response | undefined> {
    const { enrollment, held, proof } = enrolling
    if (!enrollment.isProven) return this.#tooEarly(enrolling)
    const asked = { ...clientOf(this.context), ...held }
    const renewed = await this.#enrollment.renewCodes(proof.identity.principal, asked)
    if (renewed === undefined) return undefined
    await keepCredentialVersion(this.context.session(), renewed.credentialVersion)
    return this.#codesPage(renewed.set.codes)
  }

  /**
   * Signs in: address, password and factor were proven, and the recovery codes acknowledged.
   *
   * @returns A redirect to the account page; before the first code was right, one to the step that is due.
   */
  donePost(): Promise<View | Response> {
    return this.persist((enrolling) => this.#finish(enrolling))
  }

  async #finish(enrolling: Enrolling): Promise<Response | undefined> {
    const { enrollment, proof } = enrolling
    if (!enrollment.isProven) return this.#tooEarly(enrolling)
    const end = this.challenges.ending(enrollment.id)
    const consume: typeof end = async (database) => {
      if (!(await end(database))) return false
      await this.#codes.keepPresent(database, enrollment.identifier)
      return true
    }
    const { proven } = enrollment
    const target = await this.#completion.completeOnce(this.context, { ...proof, proven }, consume)
    return target === undefined ? undefined : this.redirect(target)
  }

  /**
   * Cancels what has changed nothing yet: once the factor is set up, it stays.
   *
   * @returns A redirect to the login page. It says what was left, and nothing to somebody who had begun nothing. If the factor is set up,
   *   a redirect to the step that is due, which says so.
   */
  async cancelPost(): Promise<View | Response> {
    const { context } = this
    if (context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const enrollment = await readEnrollment(context.session(), this.clock)
    if (enrollment !== undefined && !(await this.#cancel())) return this.#outOfDate()
    await discardEnrollment(context.session())
    await this.sessions.logout(context.session(), context.auth())
    if (enrollment === undefined) return this.redirectToRoute('account:login')
    return this.redirectSaying(context.url('account:login'), {
      kind: 'notice',
      text: CANCELLED[enrollment.reason],
    })
  }

  // In another tab the factor may be set up at the same time: the row of the challenge decides.
  async #cancel(): Promise<boolean> {
    const enrolling = await this.enrolling()
    if (enrolling === undefined) return true
    const { enrollment, held } = enrolling
    return !enrollment.isProven && (await this.challenges.cancel(enrollment.id, held.credentialVersion))
  }

  #outOfDate(): never {
    return this.turnAway(TurnedAway.outOfDate, HERE)
  }

  // The form of a later step, posted too early, loses nothing: the page of the step that is due says what it asks for.
  async #tooEarly(enrolling: Enrolling): Promise<never> {
    const route = await this.setUpRoute(enrolling)
    return this.turnAway({ ...TurnedAway.outOfDate, text: 'enrollment.too-early' }, route)
  }

  // Other factors are replaced when the new one is proven, if that is still allowed then.
  #enrollmentOf({ enrollment }: Enrolling): Pick<TotpEnrollment, 'begin' | 'prove'> {
    if (enrollment.reason !== 'replacement') return this.#enrollment
    const client = clientOf(this.context)
    return this.#enrollment.replacing((transaction) =>
      this.replacement.useUp(transaction, enrollment.identifier, client),
    )
  }

  async #setupPage(enrolling: Enrolling, state: FormPage): Promise<View | Response> {
    const { enrollment, proof } = enrolling
    const { form, warning, status = 200, headers = {} } = state
    const factor = { id: enrollment.id, label: this.translate(AUTHENTICATOR) }
    const setup = await this.#enrollmentOf(enrolling).begin(proof.identity.principal, factor)
    if (setup === undefined) return this.#outOfDate()
    const page = { title: 'enrollment.title', failed: status !== 200, page: 'enrollment', narrow: true }
    const data = { ...page, form, warning, kind: 'totp', reason: enrollment.reason, ...pictureOf(setup) }
    return this.page('enrollment/setup', data, { status, headers })
  }

  #codesPage(codes: readonly string[]): View {
    return this.page('enrollment/codes', { ...codesPage(codes, 'enrollment') })
  }

  #provenPage({ warning, status = 200, headers = {} }: PageState = {}): View {
    const page = { title: 'codes.again.title', failed: status !== 200, page: 'enrollment', narrow: true }
    return this.page('enrollment/proven', { ...page, warning }, { status, headers })
  }
}

// Its own page.
const HERE = 'enrollment:start'

const CANCELLED: Readonly<Record<EnrollmentReason, string>> = {
  first: 'enrollment.cancelled',
  required: 'enrollment.cancelled-required',
  replacement: 'enrollment.cancelled-replacement',
  kind: 'enrollment.cancelled-required',
}

const WRONG_CODE = {
  field: 'code',
  code: 'wrong_first_code',
  fallback: 'That code is wrong',
  domain: 'auth',
}

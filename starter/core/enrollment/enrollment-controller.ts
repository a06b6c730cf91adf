import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { FactorSetups, type TypedSetup } from '../factors/factor-setups.ts'
import { ShownSecrets } from '../factors/shown-secrets.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import { discardEnrollment, type EnrollmentReason, provenByFirstCode } from '../login/pending-enrollment.ts'
import { AUTHENTICATOR } from '../messages/factor-names.ts'
import { authenticatorCode } from '../pages/code-fields.ts'
import { proveFirstCode } from '../pages/first-code.ts'
import type { FormPage, PageState } from '../pages/page-controller.ts'
import { pictureOf } from '../pages/totp-picture.ts'
import { keepCredentialVersion } from '../sessions/session-credentials.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { type Enrolling, EnrollingController } from './enrolling-controller.ts'

interface Code {
  readonly code: string
}

const codeSchema: z.ZodType<Code> = z.object({ code: authenticatorCode })

/** A factor that is set up before anybody is signed in: scan, prove, keep the recovery codes, and only then sign in. */
export class EnrollmentController extends EnrollingController {
  static readonly actions: Actions<EnrollmentController> = {
    index: [],
    indexPost: [form(codeSchema)],
    codesPost: [],
    donePost: [],
    cancelPost: [],
  }

  readonly #setups = inject(FactorSetups)
  readonly #shown = inject(ShownSecrets)
  readonly #codes = inject(RecoveryCodes)
  readonly #completion = inject(LoginCompletion)

  /** @returns The page with the secret; once it is proven, the page that offers the recovery codes again. */
  async index(): Promise<View | Response> {
    const enrolling = await this.enrolling()
    const { isProven, link } = enrolling.enrollment
    if (isProven) return this.#provenPage()
    if (link !== null) return this.mailPage(enrolling)
    const route = await this.setUpRoute(enrolling)
    return route === HERE ? this.#setupPage(enrolling, { form: blankForm() }) : this.redirectToRoute(route)
  }

  /** Proves the secret with its first code, and shows the recovery codes. */
  async indexPost(form: Submitted<Code>): Promise<View | Response> {
    const enrolling = await this.enrolling()
    const { enrollment, held, proof } = enrolling
    const route = await this.setUpRoute(enrolling)
    if (enrollment.isProven || enrollment.link !== null || route !== HERE)
      return this.turnAway(TurnedAway.outOfDate, route)
    if (!form.ok) return this.#setupPage(enrolling, { form, status: 422 })
    const { identifier: accountId } = proof
    const from = { ...clientOf(this.context), label: this.translate(AUTHENTICATOR) }
    const { replacement } = this.start
    const replacesAll: TypedSetup['replacesAll'] =
      enrollment.reason === 'replacement' && replacement !== undefined
        ? (transaction) => replacement.useUp(transaction, accountId, from)
        : undefined
    const typed = {
      ...form.value,
      accountId,
      factorId: enrollment.id,
      isEnrollment: true,
      replacesAll,
      ...held,
      ...from,
    }
    const proven = await proveFirstCode(
      form,
      () => this.#setups.prove(typed),
      (error) => this.locked(error, 'enrollment.locked'),
    )
    if (typeof proven === 'string') return this.turnAway(TurnedAway.outOfDate, HERE)
    if ('form' in proven) return this.#setupPage(enrolling, proven)
    return this.showCodes(enrolling, proven, provenByFirstCode(enrollment, this.clock.timestamp()))
  }

  /** Makes new recovery codes, for someone who did not see or keep those of the first proof. The earlier ones stop counting. */
  async codesPost(): Promise<View | Response> {
    const { held, proof } = await this.#proven()
    try {
      const by = { accountId: proof.identifier, ...clientOf(this.context), ...held }
      const renewed = await this.#codes.renew(by)
      if (renewed === undefined) return this.turnAway(TurnedAway.outOfDate, HERE)
      await keepCredentialVersion(this.context.session(), renewed.credentialVersion)
      return this.codesPage(renewed.set.codes)
    } catch (error) {
      return this.#provenPage(this.locked(error, 'enrollment.locked'))
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
    return target === undefined ? this.turnAway(TurnedAway.outOfDate, HERE) : this.redirect(target)
  }

  /** Cancels what has changed nothing yet: once the factor is set up, it stays. */
  async cancelPost(): Promise<View | Response> {
    const { context } = this
    if (context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const found = await this.find()
    const pending = typeof found === 'string' ? undefined : found.enrollment
    if (pending !== undefined && (pending.isProven || !(await this.challenges.end(pending.id))))
      return this.turnAway(TurnedAway.outOfDate, HERE)
    await discardEnrollment(context.session())
    await this.sessions.logout(context.session(), context.auth())
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

  async #setupPage({ enrollment, proof }: Enrolling, state: FormPage): Promise<View | Response> {
    const { id, reason } = enrollment
    const setup = await this.#shown.show(proof.identity.principal, id)
    if (setup === undefined) return this.turnAway(TurnedAway.outOfDate, HERE)
    const page = { title: 'enrollment.title', page: 'enrollment', narrow: true, kind: 'totp', reason }
    return this.page('enrollment/setup', { ...page, ...pictureOf(setup) }, state)
  }

  #provenPage(state: PageState = {}): View {
    const page = { title: 'codes.again.title', page: 'enrollment', narrow: true }
    return this.page('enrollment/proven', page, state)
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

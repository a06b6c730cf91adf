import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { Attempts } from 'sallyport-app/limits'
import { type AddedFactor, FactorSetups } from '../factors/factor-setups.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { ENROLLMENT_LIMIT } from '../limits/limits.ts'
import { LoginCompletion } from '../login/login-completion.ts'
import {
  advanceEnrollment,
  discardEnrollment,
  type EnrollmentReason,
  provenByFirstCode,
} from '../login/pending-enrollment.ts'
import { AUTHENTICATOR } from '../messages/factor-names.ts'
import { authenticatorCode } from '../pages/code-fields.ts'
import type { FormPage, PageState } from '../pages/page-controller.ts'
import { codesPage } from '../pages/presentation.ts'
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
  readonly #codes = inject(RecoveryCodes)
  readonly #attempts = inject(Attempts)
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

  /** Proves the secret with its first code. The response itself has the recovery codes, because they are kept nowhere. */
  async indexPost(form: Submitted<Code>): Promise<View | Response> {
    const enrolling = await this.enrolling()
    const { enrollment, held, proof } = enrolling
    const route = await this.setUpRoute(enrolling)
    if (enrollment.isProven || enrollment.link !== null || route !== HERE)
      return this.turnAway(TurnedAway.outOfDate, route)
    if (!form.ok) return this.#setupPage(enrolling, { form, status: 422 })
    const { principal } = proof.identity
    const client = clientOf(this.context)
    const isReplacement = enrollment.reason === 'replacement'
    const label = this.translate(AUTHENTICATOR)
    let added: AddedFactor | string | null
    try {
      added = await this.#setups.prove(principal, {
        factorId: enrollment.id,
        label,
        code: form.value.code,
        isEnrollment: true,
        replacesAll: isReplacement
          ? async (transaction) =>
              (await this.start.replacement?.useUp(transaction, principal.id, { ...client, label })) === true
          : undefined,
        ...held,
        ...client,
      })
    } catch (error) {
      return this.#setupPage(enrolling, { form: form.refuse(), ...this.locked(error, 'enrollment.locked') })
    }
    if (typeof added === 'string') return this.turnAway(TurnedAway.outOfDate, HERE)
    if (added === null) return this.#setupPage(enrolling, { form: form.refuse(WRONG_CODE), status: 422 })

    const session = this.context.session()
    await keepCredentialVersion(session, added.credentialVersion)
    const proven = provenByFirstCode(enrollment, this.clock.timestamp())
    await advanceEnrollment(session, { ...enrollment, isProven: true, proven }, this.clock)
    return this.#codesPage(added.set?.codes ?? [])
  }

  /** Makes new recovery codes, for someone who did not see or keep those of the first proof. The earlier ones stop counting. */
  async codesPost(): Promise<View | Response> {
    const { held, proof } = await this.#proven()
    const asked = { ...clientOf(this.context), ...held }
    try {
      const renewed = await this.#attempts.spend([ENROLLMENT_LIMIT.of(proof.identifier)], () =>
        this.#codes.renew(proof.identifier, asked),
      )
      if (renewed === undefined) return this.turnAway(TurnedAway.outOfDate, HERE)
      await keepCredentialVersion(this.context.session(), renewed.credentialVersion)
      return this.#codesPage(renewed.set.codes)
    } catch (error) {
      return this.#provenPage(this.locked(error, 'enrollment.locked'))
    }
  }

  /** Signs in: address, password and factor were proven, and the recovery codes acknowledged. */
  async donePost(): Promise<View | Response> {
    const { enrollment, proof } = await this.#proven()
    const { id, identifier, proven } = enrollment
    const target = await this.#completion.completeOnce(
      this.context,
      { ...proof, proven },
      {
        consume: async (database) => {
          if (!(await this.challenges.end(id, database))) return false
          await this.#codes.keep(identifier, undefined, database)
          return true
        },
      },
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
    return this.redirectSaying(context.url('account:login'), {
      kind: 'notice',
      text: CANCELLED[pending.reason],
    })
  }

  // The form of a later step, posted too early, loses nothing: the page of the step that is due says what it asks for.
  async #proven(): Promise<Enrolling> {
    const enrolling = await this.enrolling()
    if (enrolling.enrollment.isProven) return enrolling
    const why = { ...TurnedAway.outOfDate, text: 'enrollment.too-early' }
    return this.turnAway(why, await this.setUpRoute(enrolling))
  }

  async #setupPage({ enrollment, proof }: Enrolling, state: FormPage): Promise<View | Response> {
    const { form, warning, status = 200, headers = {} } = state
    const factor = { id: enrollment.id, label: this.translate(AUTHENTICATOR) }
    const setup = await this.#setups.show(proof.identity.principal, factor)
    if (setup === undefined) return this.turnAway(TurnedAway.outOfDate, HERE)
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

import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../../identity/clients/client.ts'
import { Passkeys } from '../../identity/factors/passkeys.ts'
import { advanceEnrollment } from '../../identity/factors/pending-enrollment.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { FactorPolicy } from '../../identity/policy/factor-policy.ts'
import { keepCredentialVersion } from '../../identity/sessions/session-credentials.ts'
import { labelField } from '../label-field.ts'
import { codesPage } from '../presentation.ts'
import type { FormPage } from '../page-controller.ts'
import { TurnedAway } from '../../identity/sessions/turned-away.ts'
import { type Enrolling, EnrollingController } from './enrolling-controller.ts'

/** The form that a script fills in with the answer of the browser. */
interface NewPasskey {
  readonly label: string
  readonly response: string
}

const newSchema: z.ZodType<NewPasskey> = z.object({ label: labelField, response: z.string() })

/** A passkey that a rule asks for, before anybody is signed in. */
export class PasskeyEnrollmentController extends EnrollingController {
  /** Actions and their parameters. */
  static readonly actions: Actions<PasskeyEnrollmentController> = { index: [], indexPost: [form(newSchema)] }

  readonly #passkeys = inject(Passkeys)
  readonly #policy = inject(FactorPolicy)
  readonly #notices = inject(Notices)

  /**
   * @returns The page that asks for a name and the passkey; a redirect when none is to be registered here.
   */
  async index(): Promise<View | Response> {
    return this.#newPage(await this.#registering(), { form: blankForm() })
  }

  /**
   * Adds the passkey, and shows new recovery codes. Nobody is signed in yet.
   *
   * @param form The form.
   * @returns The recovery codes; the page with the error when the response was not right.
   */
  async indexPost(form: Submitted<NewPasskey>): Promise<View | Response> {
    const enrolling = await this.#registering()
    if (!form.ok) return this.#newPage(enrolling, { form, status: 422 })
    const { enrollment, held, proof } = enrolling
    const { principal } = proof.identity
    const session = this.context.session()
    const posted = { ...form.value, session, ...clientOf(this.context), ...held }
    const added = await this.#passkeys.enroll(principal, posted)
    if (typeof added === 'string') {
      const warning = { id: `passkeys.refused.${added}` }
      return this.#newPage(enrolling, { form: form.refuse(), warning, status: 422 })
    }
    await keepCredentialVersion(session, added.credentialVersion)
    await advanceEnrollment(session, { ...enrollment, isProven: true }, this.clock)
    await this.#notices.tell(principal.id, 'factor-added', { label: form.value.label })
    return this.page('enrollment/codes', { ...codesPage(added.set?.codes ?? [], 'enrollment') })
  }

  async #registering(): Promise<Enrolling> {
    const enrolling = await this.enrolling()
    if (enrolling === undefined) return this.restart()
    const { enrollment, proof } = enrolling
    const isHere =
      !enrollment.isProven &&
      enrollment.link === null &&
      enrollment.reason !== 'replacement' &&
      (await this.#policy.kindToSetUp(proof.identity)) === 'passkey'
    return isHere ? enrolling : this.turnAway(TurnedAway.outOfDate, 'enrollment:start')
  }

  async #newPage({ proof }: Enrolling, state: FormPage): Promise<View> {
    const { form, warning, status = 200 } = state
    const options = await this.#passkeys.creationOptions(this.context.session(), proof.identity.principal)
    const passkey = options === undefined ? undefined : JSON.stringify(options)
    const page = {
      title: 'enrollment.passkey.title',
      failed: status !== 200,
      page: 'enrollment',
      narrow: true,
    }
    return this.page('enrollment/passkey', { ...page, form, warning, passkey }, { status })
  }
}

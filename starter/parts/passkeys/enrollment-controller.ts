import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { TurnedAway } from '../../core/sessions/turned-away.ts'
import { type Enrolling, EnrollingController } from '../../core/enrollment/enrolling-controller.ts'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { Passkeys } from './passkeys.ts'
import { type NewPasskey, newSchema, UNNAMED } from './forms.ts'

/** A passkey that a rule asks for, before anybody is signed in. */
export class EnrollPasskeyController extends EnrollingController {
  static readonly actions: Actions<EnrollPasskeyController> = { index: [], indexPost: [form(newSchema)] }

  readonly #passkeys = inject(Passkeys)

  /** @returns The page that asks for a name and the passkey; a redirect when none is to be registered here. */
  async index(): Promise<View | Response> {
    return this.#newPage(await this.#registering(), { form: blankForm() })
  }

  /**
   * Adds the passkey, and shows new recovery codes. Nobody is signed in yet.
   *
   * @returns The recovery codes; the page with the error when the response was not right.
   */
  async indexPost(form: Submitted<NewPasskey>): Promise<View | Response> {
    const enrolling = await this.#registering()
    if (!form.ok) return this.#newPage(enrolling, { form, status: 422 })
    const { held, proof } = enrolling
    const { principal } = proof.identity
    const session = this.context.session()
    const client = clientOf(this.context)
    const unnamed = this.translate(UNNAMED)
    const posted = { ...form.value, unnamed, session, ...client, ...held, withCodes: true }
    const added = await this.#passkeys.add(principal, posted)
    if (typeof added === 'string') {
      const warning = { id: `passkeys.refused.${added}` }
      return this.#newPage(enrolling, { form: form.refuse(), warning, status: 422 })
    }
    return this.showCodes(enrolling, added)
  }

  async #registering(): Promise<Enrolling> {
    const enrolling = await this.enrolling()
    const { isProven, link } = enrolling.enrollment
    const isHere = !isProven && link === null && (await this.setUpRoute(enrolling)) === 'passkeys:enroll'
    return isHere ? enrolling : this.turnAway(TurnedAway.outOfDate, 'enrollment:start')
  }

  async #newPage({ proof }: Enrolling, state: FormPage): Promise<View> {
    const passkey = await this.#passkeys.creationOptions(this.context.session(), proof.identity.principal)
    const page = { title: 'passkeys.add', lead: 'passkeys.enroll.lead', page: 'enrollment', narrow: true }
    return this.page('passkeys::new', { ...page, passkey, action: this.context.path() }, state)
  }
}

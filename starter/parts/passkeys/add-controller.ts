import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { SecondFactors } from '../../core/factors/second-factors.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { SecurityPage } from '../../core/security/security-page.ts'
import { Passkeys } from './passkeys.ts'
import { type NewPasskey, newSchema, UNNAMED } from './forms.ts'

const TOO_MANY: TurnedAway = {
  ...TurnedAway.tooManyAuthenticators,
  detail: 'This account has as many passkeys as it may: remove one first',
  text: 'passkeys.refused.count',
}

/** Adds a passkey or security key. */
export class AddPasskeyController extends SecurityPage {
  static readonly actions: Actions<AddPasskeyController> = { index: [], indexPost: [form(newSchema)] }

  readonly #passkeys = inject(Passkeys)
  readonly #factors = inject(SecondFactors)

  /**
   * @returns The page that asks for a name and the passkey; a redirect to the overview for an account that has as many as it may:
   *   otherwise the device would keep a passkey that nobody knows.
   */
  async index(): Promise<View | Response> {
    if (await this.#passkeys.isFull(this.account().id)) return this.turnBack(TOO_MANY)
    return this.#newPage({ form: blankForm() })
  }

  /**
   * Adds the passkey. The other sessions of the account end, and its owner gets a mail.
   *
   * @returns A redirect to the overview, or the recovery codes that come with the first factor; the page with the error when the
   *   response was not right.
   */
  async indexPost(form: Submitted<NewPasskey>): Promise<View | Response> {
    const { context } = this
    if (!form.ok) return this.#newPage({ form, status: 422 })
    const account = this.account()
    const withCodes = !(await this.#factors.isRequired(account.id))
    const unnamed = this.translate(UNNAMED)
    const posted = { ...form.value, unnamed, session: context.session(), ...clientOf(context), withCodes }
    const added = await this.#passkeys.add(account, { ...posted, ...(await this.held()) })
    if (added === 'count') return this.turnBack(TOO_MANY)
    if (typeof added === 'string') {
      const warning = { id: `passkeys.refused.${added}` }
      return this.#newPage({ form: form.refuse(), warning, status: 422 })
    }
    await this.goOn(added.credentialVersion, {})
    return added.set === undefined ? this.leave('passkeys.added') : this.codesPage(added.set.codes)
  }

  async #newPage(state: FormPage): Promise<View> {
    const { context } = this
    const passkey = await this.#passkeys.creationOptions(context.session(), this.account())
    const page = { title: 'passkeys.add', lead: 'passkeys.about', page: 'security', narrow: true }
    const cancel = context.url('security:home')
    return this.page('passkeys::new', { ...page, passkey, action: context.path(), cancel }, state)
  }
}

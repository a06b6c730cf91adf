import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../../identity/clients/client.ts'
import { Passkeys } from '../../identity/factors/passkeys.ts'
import type { FormPage } from '../page-controller.ts'
import { SecurityPage } from '../security/security-page.ts'
import { labelField } from '../label-field.ts'
import { TurnedAway } from '../../identity/sessions/turned-away.ts'

/** The form that a script fills in with the answer of the browser. */
interface NewPasskey {
  readonly label: string
  readonly response: string
}

const newSchema: z.ZodType<NewPasskey> = z.object({ label: labelField, response: z.string() })

/** Adds a passkey or security key. */
export class AddPasskeyController extends SecurityPage {
  /** Actions and their parameters. */
  static readonly actions: Actions<AddPasskeyController> = { index: [], indexPost: [form(newSchema)] }

  readonly #passkeys = inject(Passkeys)

  /**
   * @returns The page that asks for a name and the passkey; a redirect to the overview for an account that has as many as it may:
   *   otherwise the device would keep a passkey that nobody knows.
   */
  async index(): Promise<View | Response> {
    if (await this.#passkeys.isFull(this.account().id)) return this.turnBack(TurnedAway.tooManyPasskeys)
    return this.#newPage({ form: blankForm() })
  }

  /**
   * Adds the passkey. The other sessions of the account end, and its owner gets a mail.
   *
   * @param form The form.
   * @returns A redirect to the overview, or the recovery codes that come with the first factor; the page with the error when the
   *   response was not right.
   */
  async indexPost(form: Submitted<NewPasskey>): Promise<View | Response> {
    const { context } = this
    if (!form.ok) return this.#newPage({ form, status: 422 })
    const account = this.account()
    const session = context.session()
    const posted = { ...form.value, session, ...clientOf(context), ...(await this.held()) }
    const added = await this.#passkeys.add(account, posted)
    if (typeof added === 'string') {
      if (added === 'count') return this.turnBack(TurnedAway.tooManyPasskeys)
      const warning = { id: `passkeys.refused.${added}` }
      return this.#newPage({ form: form.refuse(), warning, status: 422 })
    }
    const { credentialVersion, set } = added
    await this.goOn(credentialVersion, {})
    await this.notices.tell(account.id, 'factor-added', { label: form.value.label })
    return set === undefined ? this.leave('passkeys.added') : this.codesPage(set)
  }

  async #newPage({ form, warning, status = 200 }: FormPage): Promise<View> {
    const account = this.account()
    const site = this.#passkeys.elsewhere(this.context.origin())
    const options =
      site === undefined ? await this.#passkeys.creationOptions(this.context.session(), account) : undefined
    const passkey = options === undefined ? undefined : JSON.stringify(options)
    const page = { title: 'passkeys.add', failed: status !== 200, page: 'security', narrow: true }
    const back = this.context.url('security:home')
    const elsewhere = site === undefined ? undefined : site + this.context.url('passkeys:new')
    return this.page('passkeys/new', { ...page, form, warning, passkey, elsewhere, back }, { status })
  }
}

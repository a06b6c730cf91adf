import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { ownerNameField } from 'sallyport-app/text'
import type { Account } from '../../core/accounts/account.ts'
import { EnrollingController } from '../../core/enrollment/enrolling-controller.ts'
import { EnrollmentStart } from '../../core/login/enrollment-start.ts'
import { languageOf } from '../../core/messages/language.ts'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { PasskeyAccounts } from './passkey-accounts.ts'
import { UNNAMED } from '../passkeys/forms.ts'
import { type AddedPasskey, Passkeys, type PasskeyRefusal, WHOLE_SIGN_IN } from '../passkeys/passkeys.ts'

/** What the owner of the address chooses. */
interface Profile {
  readonly name: string
  /** The new passkey, as JSON. */
  readonly response: string
}

const profileSchema: z.ZodType<Profile> = z.object({ name: ownerNameField, response: z.string() })

/** The page behind the link of a sign-up, with a passkey in place of a password. */
export class PasskeySignUpController extends EnrollingController {
  static readonly actions: Actions<PasskeySignUpController> = {
    index: [param.string('token')],
    indexPost: [param.string('token'), form(profileSchema)],
  }

  readonly #start = inject(EnrollmentStart)
  readonly #accounts = inject(PasskeyAccounts)
  readonly #passkeys = inject(Passkeys)

  /** Uses nothing up, as every page behind a link. */
  async index(token: string): Promise<View> {
    const account = await this.#accounts.newcomer(token)
    return account === undefined ? this.#outdated() : this.#page(token, account, { form: blankForm() })
  }

  /** Creates the account, and shows its recovery codes: nobody is signed in before they are acknowledged. */
  async indexPost(token: string, form: Submitted<Profile>): Promise<View> {
    const { context } = this
    const account = await this.#accounts.newcomer(token)
    if (account === undefined) return this.#outdated()
    if (!form.ok) return this.#page(token, account, { form, status: 422 })
    let added: AddedPasskey | PasskeyRefusal | undefined
    try {
      const asked = { ...form.value, ...clientOf(context), session: context.session() }
      const language = languageOf(context.locale())
      const unnamed = this.translate(UNNAMED)
      added = await this.#accounts.create(token, account, { ...asked, language, unnamed })
    } catch (error) {
      return this.#page(token, account, { form: form.refuse(), ...this.locked(error, 'confirm.locked') })
    }
    if (added === undefined) return this.#outdated()
    if (typeof added === 'string') {
      const warning = { id: `passkeys.refused.${added}` }
      return this.#page(token, account, { form: form.refuse(), warning, status: 422 })
    }
    return this.#shown(account.id, added)
  }

  // What a new passkey proves is signed by nothing that was known before: a protected action asks for it.
  async #shown(accountId: string, added: AddedPasskey): Promise<View> {
    await this.#start.beginFirst(this.context, accountId)
    return this.showCodes(await this.enrolling(), added, {})
  }

  #outdated(): View {
    return this.outdatedLink('sign-up', { lead: 'confirm.outdated.text', start: 'sign-up:start' })
  }

  async #page(token: string, account: Account, state: FormPage): Promise<View> {
    const passkey = await this.#passkeys.creationOptions(this.context.session(), account, WHOLE_SIGN_IN)
    const page = { title: 'passkey-sign-up.title', page: 'sign-up', narrow: true, email: account.email }
    return this.page('passkey-sign-up::new', { ...page, token, passkey }, state)
  }
}

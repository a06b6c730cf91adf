import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { type AddressForm, addressForm, ownerNameField } from 'sallyport-app/text'
import type { PasswordOwner } from '../accounts/new-passwords.ts'
import { EnrollmentStart } from '../login/enrollment-start.ts'
import { languageOf } from '../messages/language.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { PasswordLinkController } from '../pages/password-link-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { CONFIRMATIONS, SignUp } from './sign-up.ts'

/** What the owner of the address chooses. */
interface Profile {
  readonly name: string
  readonly password: string
}

const profileSchema: z.ZodType<Profile> = z.object({ name: ownerNameField, password: z.string().min(1) })

/** Signing up: the address, a link by mail, and behind it name and password. It leads to the set-up of the second factor. */
export class SignUpController extends PasswordLinkController<PasswordOwner, Profile> {
  static readonly actions: Actions<SignUpController> = {
    index: [],
    indexPost: [form(addressForm)],
    sent: [],
    choose: [param.string('token')],
    choosePost: [param.string('token'), form(profileSchema)],
  }

  protected readonly links: typeof CONFIRMATIONS = CONFIRMATIONS
  readonly #signUp = inject(SignUp)
  readonly #enrollment = inject(EnrollmentStart)

  index(): View {
    if (this.context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    return this.#addressPage({ form: blankForm() })
  }

  /** Sends a link. The answer is the same whether or not the address has an account; only its mailbox is told. */
  async indexPost(form: Submitted<AddressForm>): Promise<View | Response> {
    if (!form.ok) return this.#addressPage({ form, status: 422 })
    const { context } = this
    try {
      await this.#signUp.request(form.value.email, context.clientAddress(), context.locale())
    } catch (error) {
      return this.#addressPage({ form: form.refuse(), ...this.locked(error, 'sign-up.locked') })
    }
    return this.redirectToRoute('sign-up:sent')
  }

  sent(): View {
    const words = { title: 'sign-up.sent.title', lead: 'sign-up.sent.text' }
    return this.sentPage('sign-up', words, 'sign-up:start')
  }

  protected async ownerOf(token: string): Promise<PasswordOwner | undefined> {
    const email = await this.#signUp.confirmable(token)
    return email === undefined ? undefined : { email }
  }

  protected save(token: string, passwordHash: string, { name }: Profile): Promise<string | undefined> {
    const language = languageOf(this.context.locale())
    return this.#signUp.confirm(token, { name, passwordHash, language, ...clientOf(this.context) })
  }

  protected async finish(accountId: string): Promise<Response> {
    await this.#enrollment.beginFirst(this.context, accountId)
    return this.redirectToRoute('enrollment:start')
  }

  protected outdatedPage(): View {
    return this.outdatedLink('sign-up', { lead: 'confirm.outdated.text', start: 'sign-up:start' })
  }

  protected async choicePage(token: string, { email }: PasswordOwner, state: FormPage): Promise<View> {
    const page = { title: 'confirm.title', page: 'sign-up', narrow: true, email, token }
    const data = { ...page, ...(await this.slots.dataFor(['signUp'], this.context)) }
    return this.page('sign-up/confirm', data, state)
  }

  #addressPage(state: FormPage): View {
    return this.page('sign-up/start', { title: 'sign-up.title', page: 'sign-up', narrow: true }, state)
  }
}

import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { type AddressForm, addressForm, ownerNameField } from 'sallyport-app/text'
import { EnrollmentStart } from '../enrollment/enrollment-start.ts'
import { Mails } from '../mail/mails.ts'
import { languageOf } from '../messages/language.ts'
import { PageSlots } from '../page-slots.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { PasswordLinkController } from '../pages/password-link-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { CONFIRMATION_SECONDS, CONFIRMATIONS, SignUp } from './sign-up.ts'

/** What the owner of the address chooses. */
interface Profile {
  readonly name: string
  readonly password: string
}

const profileSchema: z.ZodType<Profile> = z.object({ name: ownerNameField, password: z.string().min(1) })

/** Signing up: the address, a link by mail, and behind it name and password. */
export class SignUpController extends PasswordLinkController {
  static readonly actions: Actions<SignUpController> = {
    index: [],
    indexPost: [form(addressForm)],
    sent: [],
    confirm: [param.string('token')],
    confirmPost: [param.string('token'), form(profileSchema)],
  }

  readonly #signUp = inject(SignUp)
  readonly #mails = inject(Mails)
  readonly #enrollment = inject(EnrollmentStart)
  readonly #slots = inject(PageSlots)

  index(): View {
    if (this.context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    return this.#addressPage({ form: blankForm() })
  }

  /** Sends a link. The answer is the same whether or not the address has an account; only its mailbox is told. */
  async indexPost(form: Submitted<AddressForm>): Promise<View | Response> {
    if (!form.ok) return this.#addressPage({ form, status: 422 })
    const { context } = this
    const { email } = form.value
    try {
      await this.#signUp.request(email, context.clientAddress(), (request, transaction) => {
        const isNew = request.kind === 'confirm'
        const path = isNew
          ? context.url('sign-up:confirm', { token: request.token })
          : context.url('account:login')
        const mail = {
          kind: request.kind,
          to: { email, language: isNew ? context.locale() : request.language },
          values: { url: this.#mails.linkTo(path) },
          seconds: CONFIRMATION_SECONDS,
        }
        return this.#mails.send(mail, transaction)
      })
    } catch (error) {
      return this.#addressPage({ form: form.refuse(), ...this.locked(error, 'sign-up.locked') })
    }
    return this.redirectToRoute('sign-up:sent')
  }

  sent(): View {
    return this.page('sign-up/sent', { title: 'sign-up.sent.title', page: 'sign-up', narrow: true })
  }

  async confirm(token: string): Promise<View> {
    const email = await this.#signUp.confirmable(token)
    return email === undefined ? this.#outdated() : this.#profilePage(token, email, { form: blankForm() })
  }

  /** Creates the account, and leads to the set-up of the second factor: nobody is signed in before. */
  async confirmPost(token: string, form: Submitted<Profile>): Promise<View | Response> {
    const { context } = this
    const email = await this.#signUp.confirmable(token)
    if (email === undefined) return this.#outdated()
    return this.choosePassword(form, {
      link: CONFIRMATIONS.digest(token),
      wordsOf: ({ name }) => [name, email],
      page: (state) => this.#profilePage(token, email, state),
      save: (passwordHash, { name }) => {
        const language = languageOf(context.locale())
        return this.#signUp.confirm(token, { name, passwordHash, language, ...clientOf(context) })
      },
      outdated: () => this.#outdated(),
      finish: async (id) => {
        await this.#enrollment.begin(context, id)
        return this.redirectToRoute('enrollment:start')
      },
    })
  }

  #outdated(): View {
    return this.outdated('sign-up/outdated', 'sign-up')
  }

  #addressPage(state: FormPage): View {
    return this.formPage('sign-up/start', { title: 'sign-up.title', page: 'sign-up' }, state)
  }

  async #profilePage(token: string, email: string, state: FormPage): Promise<View> {
    const page = { title: 'confirm.title', page: 'sign-up', email, token }
    return this.formPage(
      'sign-up/confirm',
      { ...page, ...(await this.#slots.fill('signUp', this.context)) },
      state,
    )
  }
}

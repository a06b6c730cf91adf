import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../clients/client.ts'
import { emailField } from '../text/email-address.ts'
import { newPasswordViolation } from '../accounts/new-password.ts'
import { SignUp } from './sign-up.ts'
import { Attempts } from '../limits/attempts.ts'
import { HASH_LIMIT, hashedFor } from '../limits/limits.ts'
import { linkDigest } from '../mail/link-tokens.ts'
import { Mails } from '../mail/mails.ts'
import { EnrollmentStart } from '../enrollment/enrollment-start.ts'
import { languageOf } from '../messages/language.ts'
import { ownerNameField } from '../pages/owner-name-field.ts'
import { type FormPage, PageController } from '../pages/page-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'

/** The address to confirm. */
interface Address {
  readonly email: string
}

const addressSchema: z.ZodType<Address> = z.object({ email: emailField })

/** What the owner of the address chooses. */
interface Profile {
  readonly name: string
  readonly password: string
}

const profileSchema: z.ZodType<Profile> = z.object({
  name: ownerNameField,
  password: z.string().min(1),
})

/** Signing up: the address, a link by mail, and behind it name and password. */
export class SignUpController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<SignUpController> = {
    index: [],
    indexPost: [form(addressSchema)],
    sent: [],
    confirm: [param.string('token')],
    confirmPost: [param.string('token'), form(profileSchema)],
  }

  readonly #signUp = inject(SignUp)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #mails = inject(Mails)
  readonly #enrollment = inject(EnrollmentStart)

  /** @returns The page that asks for the address; a redirect to the account page for a user who is signed in. */
  index(): View {
    if (this.context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    return this.#addressPage({ form: blankForm() })
  }

  /**
   * Sends a link. The answer is the same whether or not the address has an account; only its mailbox is told.
   *
   * @returns A redirect to the page that says where to look.
   */
  async indexPost(form: Submitted<Address>): Promise<View | Response> {
    if (!form.ok) return this.#addressPage({ form, status: 422 })
    const { context } = this
    const { email } = form.value
    try {
      const request = await this.#signUp.request(email, context.clientAddress())
      const path =
        request.kind === 'new'
          ? context.url('sign-up:confirm', { token: request.token })
          : context.url('account:login')
      const language = request.kind === 'new' ? context.locale() : request.language
      const url = this.#mails.linkTo(path)
      this.#mails.send(request.kind === 'new' ? 'confirm' : request.kind, { email, language }, { url })
    } catch (error) {
      return this.#addressPage({ form: form.refuse(), ...this.locked(error, 'sign-up.locked') })
    }
    return this.redirectToRoute('sign-up:sent')
  }

  /** @returns The page that says where to look. */
  sent(): View {
    return this.page('sign-up/sent', { title: 'sign-up.sent.title', page: 'sign-up', narrow: true })
  }

  /**
   * Uses nothing up: programs that check mails open links, too.
   *
   * @returns The page that asks for name and password.
   */
  async confirm(token: string): Promise<View> {
    const email = await this.#signUp.confirmable(token)
    return email === undefined
      ? this.outdated('sign-up/outdated', 'sign-up')
      : this.#profilePage(token, email, { form: blankForm() })
  }

  /**
   * Creates the account.
   *
   * @returns A redirect to the page that sets up the second factor: nobody is signed in before.
   */
  async confirmPost(token: string, form: Submitted<Profile>): Promise<View | Response> {
    const email = await this.#signUp.confirmable(token)
    if (email === undefined) return this.outdated('sign-up/outdated', 'sign-up')
    if (!form.ok) return this.#profilePage(token, email, { form, status: 422 })
    const { name, password } = form.value
    const violation = newPasswordViolation(password, [name, email])
    if (violation !== undefined)
      return this.#profilePage(token, email, { form: form.refuse(violation), status: 422 })

    let id: string | undefined
    try {
      const link = HASH_LIMIT.of(linkDigest('confirmation', token))
      id = await this.#attempts.spend([link], () => this.#create(token, form.value))
    } catch (error) {
      const locked = this.locked(error, 'confirm.locked')
      return this.#profilePage(token, email, { form: form.refuse(), ...locked })
    }
    if (id === undefined) return this.outdated('sign-up/outdated', 'sign-up')
    await this.#enrollment.begin(this.context, id)
    return this.redirectToRoute('enrollment:start')
  }

  async #create(token: string, { name, password }: Profile): Promise<string | undefined> {
    if ((await this.#signUp.confirmable(token)) === undefined) return undefined
    const client = clientOf(this.context)
    const passwordHash = await this.#hasher.hash(password, hashedFor(client.clientAddress))
    const language = languageOf(this.context.locale())
    return this.#signUp.confirm(token, { name, passwordHash, ...client, language })
  }

  #addressPage({ form, warning, status = 200, headers = {} }: FormPage): View {
    const page = { title: 'sign-up.title', failed: status !== 200, page: 'sign-up', narrow: true }
    return this.page('sign-up/start', { ...page, form, warning }, { status, headers })
  }

  #profilePage(token: string, email: string, { form, warning, status = 200, headers = {} }: FormPage): View {
    const page = { title: 'confirm.title', failed: status !== 200, page: 'sign-up', narrow: true }
    return this.page('sign-up/confirm', { ...page, form, warning, email, token }, { status, headers })
  }
}

import { inject } from 'sallyport'
import { PasswordHasher, SessionAuthentication } from 'sallyport/auth'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../clients/client.ts'
import { Account } from '../accounts/account.ts'
import { emailField } from '../text/email-address.ts'
import { newPasswordViolation, SAME_PASSWORD } from '../accounts/new-password.ts'
import { Attempts } from '../limits/attempts.ts'
import { HASH_LIMIT, hashedFor } from '../limits/limits.ts'
import { linkDigest } from '../mail/link-tokens.ts'
import { Mails } from '../mail/mails.ts'
import { Notices } from '../mail/notices.ts'
import { PasswordReset } from './password-reset.ts'
import { signOutOf } from '../login/sign-out.ts'
import { type FormPage, PageController } from '../pages/page-controller.ts'

/** Where the link goes. */
interface Address {
  readonly email: string
}

// That of signing up: what a mailer would read as another address is none, and is not counted as another one.
const addressSchema: z.ZodType<Address> = z.object({ email: emailField })

/** What the owner of the address chooses. */
interface Choice {
  readonly password: string
}

const choiceSchema: z.ZodType<Choice> = z.object({ password: z.string().min(1) })

/** The forgotten password: the address, a link by mail, and behind it a new password. It signs nobody in. */
export class ResetController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<ResetController> = {
    index: [],
    indexPost: [form(addressSchema)],
    sent: [],
    choose: [param.string('token')],
    choosePost: [param.string('token'), form(choiceSchema)],
  }

  readonly #reset = inject(PasswordReset)
  readonly #sessions = inject(SessionAuthentication)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #mails = inject(Mails)
  readonly #notices = inject(Notices)

  /** @returns The page that asks for the address; that of the account, for a user who is signed in. */
  index(): View {
    const auth = this.context.auth()
    const known = auth.isAuthenticated() ? { email: auth.principalAs(Account).email } : {}
    return this.#addressPage({ form: blankForm(known) })
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
      const request = await this.#reset.request(email, clientOf(context))
      if (request.kind === 'known') {
        const url = this.#mails.linkTo(context.url('reset:choose', { token: request.token }))
        // To the address of the account: what was typed has the same key, and a mail server may take it for another mailbox.
        this.#mails.send('reset', request, { url })
      } else if (request.kind === 'disabled') this.#mails.send('reset-disabled', request)
      else {
        const url = this.#mails.linkTo(context.url('reset:start'))
        this.#mails.send('reset-unknown', { email, language: context.locale() }, { url })
      }
    } catch (error) {
      return this.#addressPage({ form: form.refuse(), ...this.locked(error, 'reset.locked') })
    }
    return this.redirectToRoute('reset:sent')
  }

  /** @returns The page that says where to look. */
  sent(): View {
    return this.page('reset/sent', { title: 'reset.sent.title', page: 'reset', narrow: true })
  }

  /**
   * Uses nothing up: programs that check mails open links, too.
   *
   * @returns The page that asks for the new password.
   */
  async choose(token: string): Promise<View> {
    const account = await this.#reset.resettable(token)
    return account === undefined
      ? this.outdated('reset/outdated', 'reset')
      : this.#choicePage(token, account, { form: blankForm() })
  }

  /**
   * Sets the password, and tells the owner by mail.
   *
   * @returns A redirect to the login page: nobody is signed in by a link.
   */
  async choosePost(token: string, form: Submitted<Choice>): Promise<View | Response> {
    const account = await this.#reset.resettable(token)
    if (account === undefined) return this.outdated('reset/outdated', 'reset')
    if (!form.ok) return this.#choicePage(token, account, { form, status: 422 })
    const { password } = form.value
    const violation = newPasswordViolation(password, [account.name, account.email])
    if (violation !== undefined)
      return this.#choicePage(token, account, { form: form.refuse(violation), status: 422 })

    let changed: Account | 'same' | undefined
    try {
      const link = HASH_LIMIT.of(linkDigest('password-reset', token))
      changed = await this.#attempts.spend([link], () => this.#change(token, password))
    } catch (error) {
      const locked = this.locked(error, 'confirm.locked')
      return this.#choicePage(token, account, { form: form.refuse(), ...locked })
    }
    if (changed === undefined) return this.outdated('reset/outdated', 'reset')
    if (changed !== 'same') return this.#finish(changed)
    return this.#choicePage(token, account, { form: form.refuse(SAME_PASSWORD), status: 422 })
  }

  async #change(token: string, password: string): Promise<Account | 'same' | undefined> {
    const account = await this.#reset.resettable(token)
    if (account === undefined) return undefined
    const client = clientOf(this.context)
    const turn = hashedFor(client.clientAddress)
    const present = await this.#reset.presentHash(account)
    if (present !== null && (await this.#hasher.verify(password, present, turn))) return 'same'
    const passwordHash = await this.#hasher.hash(password, turn)
    return this.#reset.reset(token, { passwordHash, ...client })
  }

  async #finish({ id }: Account): Promise<Response> {
    const { context } = this
    await this.#notices.tell(id, 'password-reset')
    await signOutOf(id, context, this.#sessions)
    await context.flash().add('notice', 'reset.done')
    return this.redirectToRoute('account:login')
  }

  #addressPage({ form, warning, status = 200, headers = {} }: FormPage): View {
    const page = { title: 'reset.title', failed: status !== 200, page: 'reset', narrow: true }
    return this.page('reset/start', { ...page, form, warning }, { status, headers })
  }

  #choicePage(
    token: string,
    { email }: Account,
    { form, warning, status = 200, headers = {} }: FormPage,
  ): View {
    const page = { title: 'reset.new.title', failed: status !== 200, page: 'reset', narrow: true }
    return this.page('reset/choose', { ...page, form, warning, email, token }, { status, headers })
  }
}

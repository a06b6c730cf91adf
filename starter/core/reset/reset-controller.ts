import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { type PasswordForm, passwordForm } from 'sallyport-app/passwords'
import { type AddressForm, addressForm } from 'sallyport-app/text'
import { Account } from '../accounts/account.ts'
import { signOutOf } from '../login/sign-out.ts'
import { Mails } from '../mail/mails.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { PasswordLinkController } from '../pages/password-link-controller.ts'
import { PasswordReset, RESET_SECONDS, RESETS, type Resettable } from './password-reset.ts'

/** The forgotten password: the address, a link by mail, and behind it a new password. It signs nobody in. */
export class ResetController extends PasswordLinkController {
  static readonly actions: Actions<ResetController> = {
    index: [],
    indexPost: [form(addressForm)],
    sent: [],
    choose: [param.string('token')],
    choosePost: [param.string('token'), form(passwordForm)],
  }

  readonly #reset = inject(PasswordReset)
  readonly #sessions = inject(SessionAuthentication)
  readonly #mails = inject(Mails)

  index(): View {
    const auth = this.context.auth()
    const known = auth.isAuthenticated() ? { email: auth.principalAs(Account).email } : {}
    return this.#addressPage({ form: blankForm(known) })
  }

  /** Sends a link. The answer is the same whether or not the address has an account; only its mailbox is told. */
  async indexPost(form: Submitted<AddressForm>): Promise<View | Response> {
    if (!form.ok) return this.#addressPage({ form, status: 422 })
    const { context } = this
    try {
      await this.#reset.request(form.value.email, clientOf(context), (request, transaction) => {
        const { kind } = request
        const path =
          kind === 'reset'
            ? context.url('reset:choose', { token: request.token })
            : context.url('reset:start')
        // To the address of the account: what was typed has the same key, and a mail server may take it for another mailbox.
        const to = kind === 'reset-unknown' ? { ...form.value, language: context.locale() } : request
        const mail = { kind, to, values: { url: this.#mails.linkTo(path) }, seconds: RESET_SECONDS }
        return this.#mails.send(mail, transaction)
      })
    } catch (error) {
      return this.#addressPage({ form: form.refuse(), ...this.locked(error, 'reset.locked') })
    }
    return this.redirectToRoute('reset:sent')
  }

  sent(): View {
    return this.page('reset/sent', { title: 'reset.sent.title', page: 'reset', narrow: true })
  }

  async choose(token: string): Promise<View> {
    const account = await this.#reset.resettable(token)
    return account === undefined ? this.#outdated() : this.#choicePage(token, account, { form: blankForm() })
  }

  /** Sets the password, of which the owner is told by mail, and leads to the login page: nobody is signed in by a link. */
  async choosePost(token: string, form: Submitted<PasswordForm>): Promise<View | Response> {
    const { context } = this
    const account = await this.#reset.resettable(token)
    if (account === undefined) return this.#outdated()
    return this.choosePassword(form, {
      link: RESETS.digest(token),
      wordsOf: () => [account.name, account.email],
      present: account.passwordHash,
      page: (state) => this.#choicePage(token, account, state),
      save: (passwordHash) => this.#reset.reset(token, { passwordHash, ...clientOf(context) }),
      outdated: () => this.#outdated(),
      finish: async (id) => {
        await signOutOf(id, context, this.#sessions)
        await context.flash().add('notice', 'reset.done')
        return this.redirectToRoute('account:login')
      },
    })
  }

  #outdated(): View {
    return this.outdated('reset/outdated', 'reset')
  }

  #addressPage(state: FormPage): View {
    return this.formPage('reset/start', { title: 'reset.title', page: 'reset' }, state)
  }

  #choicePage(token: string, { email }: Resettable, state: FormPage): View {
    return this.formPage('reset/choose', { title: 'reset.new.title', page: 'reset', email, token }, state)
  }
}

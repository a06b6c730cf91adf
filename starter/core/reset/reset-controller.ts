import { inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { passwordForm } from 'sallyport-app/passwords'
import { type AddressForm, addressForm } from 'sallyport-app/text'
import { signOutOf } from '../login/sign-out.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { PasswordLinkController } from '../pages/password-link-controller.ts'
import { PasswordReset, RESETS, type Resettable } from './password-reset.ts'

/** The forgotten password: the address, a link by mail, and behind it a new password, of which the owner is told. It signs nobody in. */
export class ResetController extends PasswordLinkController<Resettable> {
  static readonly actions: Actions<ResetController> = {
    index: [],
    indexPost: [form(addressForm)],
    sent: [],
    choose: [param.string('token')],
    choosePost: [param.string('token'), form(passwordForm)],
  }

  protected readonly links: typeof RESETS = RESETS
  readonly #reset = inject(PasswordReset)
  readonly #sessions = inject(SessionAuthentication)

  index(): View {
    const known = this.context.auth().isAuthenticated() ? { email: this.account().email } : {}
    return this.#addressPage({ form: blankForm(known) })
  }

  /** Sends a link. The answer is the same whether or not the address has an account; only its mailbox is told. */
  async indexPost(form: Submitted<AddressForm>): Promise<View | Response> {
    if (!form.ok) return this.#addressPage({ form, status: 422 })
    try {
      await this.#reset.request(form.value.email, clientOf(this.context), this.context.locale())
    } catch (error) {
      return this.#addressPage({ form: form.refuse(), ...this.locked(error, 'reset.locked') })
    }
    return this.redirectToRoute('reset:sent')
  }

  sent(): View {
    const words = { title: 'reset.sent.title', lead: 'reset.sent.text' }
    return this.sentPage('reset', words, 'reset:start')
  }

  protected ownerOf(token: string): Promise<Resettable | undefined> {
    return this.#reset.resettable(token)
  }

  protected save(token: string, passwordHash: string): Promise<string | undefined> {
    return this.#reset.reset(token, { passwordHash, ...clientOf(this.context) })
  }

  protected async finish(accountId: string): Promise<Response> {
    await signOutOf(accountId, this.context, this.#sessions)
    await this.context.flash().add('notice', 'reset.done')
    return this.redirectToRoute('account:login')
  }

  protected outdatedPage(): View {
    return this.outdatedLink('reset', { lead: 'reset.outdated.text', start: 'reset:start' })
  }

  protected choicePage(token: string, { email }: Resettable, state: FormPage): View {
    const page = { title: 'reset.new.title', page: 'reset', narrow: true, email, token }
    return this.page('reset/choose', page, state)
  }

  #addressPage(state: FormPage): View {
    return this.page('reset/start', { title: 'reset.title', page: 'reset', narrow: true }, state)
  }
}

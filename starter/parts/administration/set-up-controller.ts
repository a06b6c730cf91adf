import { inject } from 'sallyport'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { passwordForm } from 'sallyport-app/passwords'
import { EnrollmentStart } from '../../core/enrollment/enrollment-start.ts'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { PasswordLinkController } from '../../core/pages/password-link-controller.ts'
import { NewAccounts, SET_UPS, type SetUp } from './new-accounts.ts'

/** The first password of an account that was added by the administration. It leads to the set-up of the second factor. */
export class SetUpController extends PasswordLinkController<SetUp> {
  static readonly actions: Actions<SetUpController> = {
    choose: [param.string('token')],
    choosePost: [param.string('token'), form(passwordForm)],
  }

  protected readonly links: typeof SET_UPS = SET_UPS
  readonly #accounts = inject(NewAccounts)
  readonly #enrollment = inject(EnrollmentStart)

  protected ownerOf(token: string): Promise<SetUp | undefined> {
    return this.#accounts.find(token)
  }

  protected save(token: string, passwordHash: string): Promise<string | undefined> {
    return this.#accounts.choosePassword(token, { passwordHash, ...clientOf(this.context) })
  }

  protected async finish(accountId: string): Promise<Response> {
    await this.#enrollment.begin(this.context, accountId)
    return this.redirectToRoute('enrollment:start')
  }

  protected outdatedPage(): View {
    return this.outdatedLink('set-up', { lead: 'set-up.outdated' })
  }

  protected choicePage(token: string, { name, email }: SetUp, state: FormPage): View {
    const page = { title: 'confirm.title', page: 'set-up', narrow: true, here: '', name, email, token }
    return this.page('administration::set-up-password', page, state)
  }
}

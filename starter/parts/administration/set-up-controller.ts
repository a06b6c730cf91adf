import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { type PasswordForm, passwordForm } from 'sallyport-app/passwords'
import { EnrollmentStart } from '../../core/enrollment/enrollment-start.ts'
import type { FormPage } from '../../core/pages/page-controller.ts'
import { PasswordLinkController } from '../../core/pages/password-link-controller.ts'
import { NewAccounts, SET_UPS, type SetUp } from './new-accounts.ts'

/** The first password of an account that was added by the administration: its owner chooses it. */
export class SetUpController extends PasswordLinkController {
  static readonly actions: Actions<SetUpController> = {
    index: [param.string('token')],
    indexPost: [param.string('token'), form(passwordForm)],
  }

  readonly #accounts = inject(NewAccounts)
  readonly #enrollment = inject(EnrollmentStart)

  async index(token: string): Promise<View> {
    const setUp = await this.#accounts.find(token)
    return setUp === undefined ? this.#outdated() : this.#passwordPage(token, setUp, { form: blankForm() })
  }

  /** Stores the password, and leads to the set-up of the second factor: nobody is signed in before. */
  async indexPost(token: string, form: Submitted<PasswordForm>): Promise<View | Response> {
    const setUp = await this.#accounts.find(token)
    if (setUp === undefined) return this.#outdated()
    return this.choosePassword(form, {
      link: SET_UPS.digest(token),
      wordsOf: () => [setUp.name, setUp.email],
      page: (state) => this.#passwordPage(token, setUp, state),
      save: (passwordHash) =>
        this.#accounts.choosePassword(token, { passwordHash, ...clientOf(this.context) }),
      outdated: () => this.#outdated(),
      finish: async (id) => {
        await this.#enrollment.begin(this.context, id)
        return this.redirectToRoute('enrollment:start')
      },
    })
  }

  #outdated(): View {
    return this.outdated('administration::set-up-outdated', 'set-up')
  }

  #passwordPage(token: string, { name, email }: SetUp, state: FormPage): View {
    const page = { title: 'confirm.title', page: 'set-up', here: '', name, email, token }
    return this.formPage('administration::set-up-password', page, state)
  }
}

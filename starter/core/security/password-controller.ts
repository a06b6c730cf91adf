import { inject } from 'sallyport'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { type PasswordForm, passwordForm, SAME_PASSWORD } from 'sallyport-app/passwords'
import { type ChangeRefusal, PasswordChange } from '../accounts/password-change.ts'
import { PASSWORD_RULE } from '../accounts/password-rule.ts'
import { Users } from '../accounts/users.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { SecurityPage } from './security-page.ts'
import { TurnedAway } from '../sessions/turned-away.ts'

/** The change of a password. */
export class PasswordController extends SecurityPage {
  static readonly actions: Actions<PasswordController> = { index: [], indexPost: [form(passwordForm)] }

  readonly #passwords = inject(PasswordChange)
  readonly #users = inject(Users)

  index(): Promise<View> {
    return this.#page({ form: blankForm() })
  }

  /** Changes the password. Every other session of the account ends, and its owner gets a mail. */
  async indexPost(form: Submitted<PasswordForm>): Promise<View | Response> {
    if (!form.ok) return this.#page({ form, status: 422 })
    const account = this.account()
    const { password } = form.value
    const violation = PASSWORD_RULE.violation(password, [account.name, account.email])
    if (violation !== undefined) return this.#page({ form: form.refuse(violation), status: 422 })

    const held = await this.held()
    const client = clientOf(this.context)
    let changed: number | ChangeRefusal
    try {
      changed = await this.#passwords.change(account, { password, ...client, ...held })
    } catch (error) {
      return this.#page({ form: form.refuse(), ...this.locked(error, 'sign-in.locked') })
    }
    if (changed === 'same') return this.#page({ form: form.refuse(SAME_PASSWORD), status: 422 })
    if (changed === 'outdated') return this.turnBack(TurnedAway.outOfDate)
    await this.goOn(changed, 'drop')
    return this.leave('password.changed')
  }

  async #page(state: FormPage): Promise<View> {
    const { id, email } = this.account()
    const title = (await this.#users.hasPassword(id)) ? 'password.title' : 'password.set'
    return this.page('security/password', { title, page: 'security', narrow: true, email }, state)
  }
}

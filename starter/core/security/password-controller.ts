import { inject } from 'sallyport'
import { blankForm, type Submitted, type Violation } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { type PasswordForm, passwordForm } from 'sallyport-app/passwords'
import { NewPasswords } from '../accounts/new-passwords.ts'
import { Users } from '../accounts/users.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { SecurityPage } from './security-page.ts'

/** The change of a password. */
export class PasswordController extends SecurityPage {
  static readonly actions: Actions<PasswordController> = { index: [], indexPost: [form(passwordForm)] }

  readonly #passwords = inject(NewPasswords)
  readonly #users = inject(Users)

  index(): Promise<View> {
    return this.#page({ form: blankForm() })
  }

  /** Changes the password. Every other session of the account ends, and its owner gets a mail. */
  async indexPost(form: Submitted<PasswordForm>): Promise<View | Response> {
    if (!form.ok) return this.#page({ form, status: 422 })
    const { id, name, email } = this.account()
    const changing = await this.changing()
    const passwordHash = await this.#users.passwordHash(id)
    let chosen: string | Violation
    try {
      const { clientAddress } = changing
      const owner = { name, email, passwordHash }
      chosen = await this.#passwords.hash(form.value.password, owner, { id, clientAddress })
    } catch (error) {
      return this.#page({ form: form.refuse(), ...this.locked(error, 'sign-in.locked') })
    }
    if (typeof chosen !== 'string') return this.#page({ form: form.refuse(chosen), status: 422 })
    const version = await this.#passwords.change(changing, { expected: passwordHash, replacement: chosen })
    if (version === undefined) return this.turnBack(TurnedAway.outOfDate)
    await this.goOn(version, 'drop')
    return this.leave('password.changed')
  }

  async #page(state: FormPage): Promise<View> {
    const { id, email } = this.account()
    const title = (await this.#users.hasPassword(id)) ? 'password.title' : 'password.set'
    return this.page('security/password', { title, page: 'security', narrow: true, email }, state)
  }
}

import { Controller, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { type AcceptedForm, blankForm, type RefusedForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import { Tokens } from '../api/tokens.ts'
import { Credentials, Registration, Settings } from '../domain/fields.ts'
import { Refusal } from '../domain/refusal.ts'
import { type User, Users } from '../domain/users.ts'
import { userOf } from '../viewer.ts'

export class AccountController extends Controller {
  static readonly actions = {
    login: [],
    submitLogin: [form(Credentials)],
    logout: [],
    register: [],
    submitRegister: [form(Registration)],
    settings: [],
    submitSettings: [form(Settings)],
  } satisfies Actions<AccountController>

  readonly #users = inject(Users)
  readonly #tokens = inject(Tokens)
  readonly #sessions = inject(SessionAuthentication)

  login() {
    return this.view('login', { form: blankForm() })
  }

  submitLogin(submitted: Submitted<typeof Credentials>) {
    return this.#use('login', submitted, async (value) => this.#signIn(await this.#users.verify(value)))
  }

  async logout() {
    await this.#sessions.logout(this.context.session(), this.context.auth())
    return this.redirectToRoute('home')
  }

  register() {
    return this.view('register', { form: blankForm() })
  }

  submitRegister(submitted: Submitted<typeof Registration>) {
    return this.#use('register', submitted, async (value) => this.#signIn(await this.#users.register(value)))
  }

  settings() {
    return this.view('settings', { form: blankForm(userOf(this.context)) })
  }

  submitSettings(submitted: Submitted<typeof Settings>) {
    return this.#use('settings', submitted, async (value) => {
      const user = await this.#users.update(userOf(this.context), value)
      if (value.password !== undefined) this.#tokens.endOthers(user)
      await this.context.flash().add('notice', 'Your settings are saved.')
      return this.redirectToRoute('profile', { username: user.username })
    })
  }

  async #signIn(user: User) {
    await this.#sessions.login(this.context.session(), this.context.auth(), String(user.id), user)
    return this.redirectToRoute('home')
  }

  /** Uses a form, or shows it again with what the schema or the domain refuses. */
  async #use<T>(page: string, form: AcceptedForm<T> | RefusedForm, use: (value: T) => Promise<Response>) {
    if (!form.ok) return this.view(page, { form }, { status: 422 })
    try {
      return await use(form.value)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const refused = form.refuse({ field: error.subject, code: 'refused', fallback: error.problem })
      return this.view(page, { form: refused }, { status: 422 })
    }
  }
}

import { inject } from 'sallyport'
import { blankForm, type Submitted, ValidationException } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import type { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { type Credentials, credentialsForm, invalidCredentials } from 'sallyport-app/passwords'
import { PasswordCheck } from '../accounts/password-check.ts'
import { readPendingLogin } from '../challenges/pending-login.ts'
import type { FormPage } from '../pages/page-controller.ts'
import { returnToSchema, returnUrlField, type ReturnTo } from 'sallyport-app/pages'
import { ReturnTargets } from '../sessions/return-target.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { FirstDoor } from './first-door.ts'

/** Fields of the login form. */
interface SignIn extends Credentials, ReturnTo {}

const signInSchema: z.ZodType<SignIn> = credentialsForm.extend({ return_url: returnUrlField })

/** What the page of the first door says, unless more is known. */
export const LOGIN_PAGE = { title: 'sign-in.title', page: 'login', narrow: true, door: 1 }

/** The first door: e-mail address and password. */
export class LoginController extends FirstDoor {
  static readonly actions: Actions<LoginController> = {
    index: [input(returnToSchema)],
    indexPost: [form(signInSchema)],
  }

  readonly #passwords = inject(PasswordCheck)
  readonly #targets = inject(ReturnTargets)

  /** The login page; a redirect to the account page for a user who is signed in. */
  async index(query: ReturnTo): Promise<View | Response> {
    if (this.context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const session = this.context.session()
    const stranded = (await this.sessions.identifier(session)) !== null
    const isPending = (await readPendingLogin(session, this.clock)) !== undefined
    const form = blankForm({ return_url: query.return_url ?? '' })
    return this.#loginPage({ form }, { stranded, isPending })
  }

  /** Checks address and password. What is malformed gets the same response as a wrong password. */
  async indexPost(form: Submitted<SignIn>): Promise<View | Response> {
    const { context } = this
    await this.begin()
    if (!form.ok) return this.#refuse(invalidCredentials(), form)
    const { email, password, return_url: returnTo } = form.value
    let path: string | undefined
    try {
      const proof = await this.#passwords.verify({ email, password, ...clientOf(context) })
      await this.#targets.remember(context, returnTo)
      path = await this.goOn(proof)
    } catch (error) {
      return this.#refuse(error, form)
    }
    return path === undefined ? this.#refuse(invalidCredentials(), form) : this.redirect(path)
  }

  #refuse(error: unknown, form: Submitted<SignIn>): Promise<View | Response> {
    if (error instanceof ValidationException)
      return this.#loginPage({ form: form.refuse(MISMATCH), status: 422, error })
    return this.#loginPage({ form: form.refuse(), ...this.locked(error, 'sign-in.locked') })
  }

  async #loginPage(state: FormPage, shown: object = {}): Promise<View | Response> {
    const returnUrl = await this.#targets.allowed(state.form.value('return_url'))
    const here = this.context.url('account:login', returnUrl === undefined ? {} : { return_url: returnUrl })
    const { slots, ...added } = await this.slots.dataFor(['signIn'], this.context)
    const data = { ...LOGIN_PAGE, here, ...shown, returnUrl, slots, ...added }
    return this.pageOrState('sign-in', added, this.page('account/login', data, state))
  }
}

// What the violations of the form are is not told: it would tell wrong addresses from wrong passwords.
const MISMATCH = {
  field: null,
  code: 'invalid_credentials',
  messageId: 'sign_in_refused',
  fallback: 'This address and password do not match. Check both and try again.',
  domain: 'auth',
}

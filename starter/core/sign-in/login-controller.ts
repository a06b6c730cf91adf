import { inject } from 'sallyport'
import { isSeen } from 'sallyport/http'
import { blankForm, type Submitted, ValidationException } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import { SessionPolicy } from 'sallyport/session'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import {
  type Credentials,
  credentialsSchema,
  invalidCredentials,
  PasswordCheck,
} from '../accounts/password-check.ts'
import { readPendingLogin } from '../challenges/pending-login.ts'
import { PageSlots } from '../page-slots.ts'
import type { FormPage } from '../pages/page-controller.ts'
import type { PageMessage } from '../pages/presentation.ts'
import { endOfSession, forgetSeen } from '../sessions/last-seen.ts'
import { TurnedAway } from '../sessions/turned-away.ts'
import { AfterPassword } from './after-password.ts'
import { FirstDoor } from './first-door.ts'

/** The page to return to after the login. */
interface ReturnTo {
  readonly return_url?: string | undefined
}

// Anything but one page is ignored, as a page that a login must not return to.
const returnUrl = z.string().optional().catch(undefined)
const returnToSchema: z.ZodType<ReturnTo> = z.object({ return_url: returnUrl })

/** Fields of the login form. */
interface SignIn extends Credentials, ReturnTo {}

const signInSchema: z.ZodType<SignIn> = credentialsSchema.extend({ return_url: returnUrl })

/** The first door: e-mail address and password. */
export class LoginController extends FirstDoor {
  static readonly actions: Actions<LoginController> = {
    index: [input(returnToSchema)],
    indexPost: [form(signInSchema)],
  }

  readonly #passwords = inject(PasswordCheck)
  readonly #next = inject(AfterPassword)
  readonly #slots = inject(PageSlots)
  readonly #lifetimes = inject(SessionPolicy)

  /** The login page; a redirect to the account page for a user who is signed in. */
  async index(query: ReturnTo): Promise<View | Response> {
    if (this.context.auth().isAuthenticated()) return this.turnAway(TurnedAway.signedIn, 'account:home')
    const session = this.context.session()
    const stranded = (await this.sessions.identifier(session)) !== null
    const isPending = (await readPendingLogin(session, this.clock)) !== undefined
    const warning = this.#toldEnd()
    const shown = { form: blankForm({ return_url: query.return_url ?? '' }), ...(warning && { warning }) }
    return this.#loginPage(shown, { stranded, isPending })
  }

  // Told once, on the first login page after the end.
  #toldEnd(): PageMessage | undefined {
    const end = endOfSession(this.context, this.#lifetimes, this.clock)
    if (end === undefined) return undefined
    if (isSeen(this.context)) forgetSeen(this.context)
    const minutes = this.#lifetimes.idleMilliseconds / 60_000
    return { id: `sign-in.end.${end}`, values: { minutes } }
  }

  /**
   * Checks e-mail address and password. Completes the login when the account has no second factor, otherwise asks for it. What is
   * malformed gets the same response as a wrong password.
   */
  async indexPost(form: Submitted<SignIn>): Promise<View | Response> {
    const { context } = this
    await this.begin()
    if (!form.ok) return this.#refuse(invalidCredentials(), form)
    const { email, password, return_url: returnTo } = form.value
    let path: string | undefined
    try {
      const proof = await this.#passwords.verify({ email, password, ...clientOf(context) })
      await this.targets.remember(context, returnTo)
      path = await this.#next.goOn(context, proof)
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

  async #loginPage(
    { form, warning, status = 200, headers = {}, error }: FormPage,
    shown = { stranded: false, isPending: false },
  ): Promise<View | Response> {
    const returnUrl = await this.targets.allowed(form.value('return_url'))
    const page = { title: 'sign-in.title', failed: status !== 200, page: 'login', narrow: true, door: 1 }
    const here = this.context.url('account:login', returnUrl === undefined ? {} : { return_url: returnUrl })
    const { slots, ...added } = await this.#slots.fill('signIn', this.context)
    const data = { ...page, here, ...shown, form, warning, returnUrl, slots, ...added }
    return this.pageOrState('sign-in', added, this.page('account/login', data, { status, headers, error }))
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

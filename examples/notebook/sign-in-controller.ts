import { Controller, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import { z } from 'zod'
import { type Account, Accounts } from './accounts.ts'
import { Attempts } from './attempts.ts'
import { PendingSignIn } from './pending-sign-in.ts'
import { RecoveryCodes } from './recovery-codes.ts'
import { isRecoveryCode, SecondFactor } from './second-factor.ts'

const SignIn = z.object({ email: z.string().trim().toLowerCase().max(254), password: z.string() })
const Code = z.object({ code: z.string() })
// It does not say which of both is wrong.
const MISMATCH = { field: null, code: 'mismatch', fallback: 'This address and password do not match.' }
const WRONG_CODE = { field: 'code', code: 'wrong_code', fallback: 'This code is wrong or was used before.' }

export class SignInController extends Controller {
  static readonly actions = {
    index: [],
    indexPost: [form(SignIn)],
    code: [],
    codePost: [form(Code)],
    outPost: [],
  } satisfies Actions<SignInController>

  readonly #accounts = inject(Accounts)
  readonly #attempts = inject(Attempts)
  readonly #factor = inject(SecondFactor)
  readonly #pending = inject(PendingSignIn)
  readonly #recoveryCodes = inject(RecoveryCodes)
  readonly #sessions = inject(SessionAuthentication)

  index() {
    return this.view('sign-in', { form: blankForm() })
  }

  async indexPost(form: Submitted<typeof SignIn>) {
    if (!form.ok) return this.view('sign-in', { form: form.refuse(MISMATCH) }, { status: 422 })
    const { email, password } = form.value

    this.#attempts.count(`password:${email}`)
    const account = await this.#accounts.verify(email, password)
    if (account === undefined) return this.view('sign-in', { form: form.refuse(MISMATCH) }, { status: 422 })
    if (!account.hasFactor) return this.#complete(account)

    // Sign out the previous user first.
    await this.#sessions.logout(this.context.session(), this.context.auth(), { keepNewer: true })
    await this.#pending.begin(this.context.session(), String(account.id))
    return this.redirectToRoute('code')
  }

  async code() {
    if ((await this.#pendingAccount()) === undefined) return this.redirectToRoute('sign-in')
    return this.view('code', { form: blankForm() })
  }

  async codePost(form: Submitted<typeof Code>) {
    const account = await this.#pendingAccount()
    if (account === undefined) return this.redirectToRoute('sign-in')

    this.#attempts.count(`code:${account.id}`)
    if (!form.ok || !(await this.#factor.use(account, form.value.code)))
      return this.view('code', { form: form.refuse(WRONG_CODE) }, { status: 422 })
    if (isRecoveryCode(form.value.code)) {
      const left = this.#recoveryCodes.left(account)
      await this.context.flash().add('notice', `That recovery code is used up. Codes left: ${left}.`)
    }
    return this.#complete(account)
  }

  async outPost() {
    await this.#pending.end(this.context.session())
    await this.#sessions.logout(this.context.session(), this.context.auth())
    return this.redirectToRoute('home')
  }

  async #pendingAccount() {
    const identifier = await this.#pending.identifier(this.context.session())
    return identifier === undefined ? undefined : this.#accounts.find(identifier)
  }

  /** The only place that signs a user in. */
  async #complete(account: Account) {
    this.#attempts.forget(`password:${account.email}`)
    this.#attempts.forget(`code:${account.id}`)
    await this.#pending.end(this.context.session())
    await this.#sessions.login(this.context.session(), this.context.auth(), String(account.id), account)
    return this.redirectToRoute('notes:index')
  }
}

import { Controller, inject } from 'sallyport'
import { AccountSessions } from 'sallyport/auth'
import { blankForm, type ShownForm, type Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import { renderSVG } from 'uqr'
import { z } from 'zod'
import { Account, Accounts } from './accounts.ts'
import { Attempts } from './attempts.ts'
import { RecoveryCodes } from './recovery-codes.ts'
import { SecondFactor } from './second-factor.ts'

const KEY = 'new-factor'
// A session alone must not change how the account is protected.
const Proof = z.object({ password: z.string(), code: z.string() })
const WRONG_PASSWORD = { field: 'password', code: 'wrong_password', fallback: 'This password is wrong.' }
const WRONG_CODE = { field: 'code', code: 'wrong_code', fallback: 'This code is wrong or was used before.' }

export class FactorController extends Controller {
  static readonly actions = {
    index: [],
    indexPost: [form(Proof)],
    codesPost: [form(Proof)],
    offPost: [form(Proof)],
  } satisfies Actions<FactorController>

  readonly #accounts = inject(Accounts)
  readonly #attempts = inject(Attempts)
  readonly #factor = inject(SecondFactor)
  readonly #recoveryCodes = inject(RecoveryCodes)
  readonly #sessions = inject(AccountSessions)

  async index() {
    const account = this.#account()
    if (account.hasFactor) return this.#pageOn(blankForm(), 200)
    const sealed = this.#factor.newSecret(account)
    await this.context.session().set(KEY, sealed)
    return this.#pageOff(sealed, blankForm(), 200)
  }

  async indexPost(form: Submitted<typeof Proof>) {
    const account = this.#account()
    const sealed = await this.context.session().get<string>(KEY)
    if (sealed === undefined || account.hasFactor) return this.redirectToRoute('account:factor')

    if (!form.ok || !(await this.#isPassword(form.value.password)))
      return this.#pageOff(sealed, form.refuse(WRONG_PASSWORD), 422)
    this.#attempts.count(`enable:${account.id}`)
    const codes = await this.#factor.enable(account, sealed, form.value.code)
    if (codes === undefined) return this.#pageOff(sealed, form.refuse(WRONG_CODE), 422)
    await this.context.session().remove(KEY)
    await this.#sessions.endOthers(this.context.session(), String(account.id))
    return this.view('codes', { codes })
  }

  async codesPost(form: Submitted<typeof Proof>) {
    const refused = await this.#refuse(form)
    if (refused !== undefined) return refused
    return this.view('codes', { codes: this.#factor.newRecoveryCodes(this.#account()) })
  }

  async offPost(form: Submitted<typeof Proof>) {
    const refused = await this.#refuse(form)
    if (refused !== undefined) return refused
    this.#factor.disable(this.#account())
    await this.#sessions.endOthers(this.context.session(), String(this.#account().id))
    await this.context.flash().add('notice', 'The second step is off.')
    return this.redirectToRoute('account:factor')
  }

  /** The page again, unless the password and the code are right. */
  async #refuse(form: Submitted<typeof Proof>) {
    const account = this.#account()
    if (!account.hasFactor) return this.redirectToRoute('account:factor')
    if (!form.ok || !(await this.#isPassword(form.value.password)))
      return this.#pageOn(form.refuse(WRONG_PASSWORD), 422)
    this.#attempts.count(`code:${account.id}`)
    if (!(await this.#factor.use(account, form.value.code))) return this.#pageOn(form.refuse(WRONG_CODE), 422)
    this.#attempts.forget(`code:${account.id}`)
    return undefined
  }

  async #isPassword(password: string) {
    const { email } = this.#account()
    this.#attempts.count(`password:${email}`)
    if ((await this.#accounts.verify(email, password)) === undefined) return false
    this.#attempts.forget(`password:${email}`)
    return true
  }

  #account() {
    return this.context.auth().principalAs(Account)
  }

  #pageOn(form: ShownForm, status: number) {
    return this.view('factor/on', { left: this.#recoveryCodes.left(this.#account()), form }, { status })
  }

  #pageOff(sealed: string, form: ShownForm, status: number) {
    const { secret, uri } = this.#factor.show(this.#account(), sealed)
    // Without a width, the image would fill the page.
    const qr = renderSVG(uri).replace('<svg', '<svg width="200" role="img" aria-label="QR code"')
    return this.view('factor/off', { secret, uri, qr, form }, { status })
  }
}

import { inject } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { blankForm, type Submitted } from 'sallyport/input'
import { type Actions, form, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../../core/clients/client.ts'
import { newPasswordViolation } from '../../core/accounts/new-password.ts'
import { NewAccounts, type SetUp } from './new-accounts.ts'
import { Attempts } from '../../core/limits/attempts.ts'
import { HASH_LIMIT, hashedFor } from '../../core/limits/limits.ts'
import { linkDigest } from '../../core/mail/link-tokens.ts'
import { EnrollmentStart } from '../../core/enrollment/enrollment-start.ts'
import { type FormPage, PageController } from '../../core/pages/page-controller.ts'

/** Fields of the form. */
interface Choice {
  readonly password: string
}

const choiceSchema: z.ZodType<Choice> = z.object({ password: z.string().min(1) })

/** The first password of an account that was added by the administration: its owner chooses it. */
export class SetUpController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<SetUpController> = {
    index: [param.string('token')],
    indexPost: [param.string('token'), form(choiceSchema)],
  }

  readonly #accounts = inject(NewAccounts)
  readonly #hasher = inject(PasswordHasher)
  readonly #attempts = inject(Attempts)
  readonly #enrollment = inject(EnrollmentStart)

  /**
   * Uses nothing up: programs that check mails open links, too.
   *
   * @returns The page that asks for the password.
   */
  async index(token: string): Promise<View> {
    const setUp = await this.#accounts.find(token)
    return setUp === undefined
      ? this.outdated('administration::set-up-outdated', 'set-up')
      : this.#passwordPage(token, setUp, { form: blankForm() })
  }

  /**
   * Stores the password.
   *
   * @returns A redirect to the page that sets up the second factor: nobody is signed in before.
   */
  async indexPost(token: string, form: Submitted<Choice>): Promise<View | Response> {
    const setUp = await this.#accounts.find(token)
    if (setUp === undefined) return this.outdated('administration::set-up-outdated', 'set-up')
    if (!form.ok) return this.#passwordPage(token, setUp, { form, status: 422 })
    const { password } = form.value
    const violation = newPasswordViolation(password, [setUp.name, setUp.email])
    if (violation !== undefined)
      return this.#passwordPage(token, setUp, { form: form.refuse(violation), status: 422 })

    let id: string | undefined
    try {
      const link = HASH_LIMIT.of(linkDigest('set-up', token))
      id = await this.#attempts.spend([link], () => this.#choose(token, password))
    } catch (error) {
      const locked = this.locked(error, 'confirm.locked')
      return this.#passwordPage(token, setUp, { form: form.refuse(), ...locked })
    }
    if (id === undefined) return this.outdated('administration::set-up-outdated', 'set-up')
    await this.#enrollment.begin(this.context, id)
    return this.redirectToRoute('enrollment:start')
  }

  async #choose(token: string, password: string): Promise<string | undefined> {
    if ((await this.#accounts.find(token)) === undefined) return undefined
    const client = clientOf(this.context)
    const passwordHash = await this.#hasher.hash(password, hashedFor(client.clientAddress))
    return this.#accounts.choosePassword(token, { passwordHash, ...client })
  }

  #passwordPage(
    token: string,
    { name, email }: SetUp,
    { form, warning, status = 200, headers = {} }: FormPage,
  ): View {
    const page = { title: 'confirm.title', failed: status !== 200, page: 'set-up', narrow: true, here: '' }
    return this.page(
      'administration::set-up-password',
      { ...page, form, warning, name, email, token },
      { status, headers },
    )
  }
}

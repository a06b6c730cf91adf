import { Clock, inject } from 'sallyport'
import { prefersJson, TooManyRequestsException } from 'sallyport/http'
import {
  type AcceptedForm,
  blankForm,
  type ShownForm,
  type Submitted,
  ValidationException,
} from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { Account } from '../../identity/accounts/account.ts'
import { PasswordCheck } from '../../identity/accounts/password-check.ts'
import { AuditEvent, AuditTrail } from '../../identity/audit/audit-trail.ts'
import { RecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import { SecondFactors } from '../../identity/factors/second-factors.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { keepCredentialVersion } from '../../identity/sessions/session-credentials.ts'
import { PageController } from '../page-controller.ts'
import { codesPage, type PageMessage, toMinutes } from '../presentation.ts'

/** What must be proven in the same form: the password and a factor. */
interface FullProof {
  readonly password: string
  readonly code: string
}

const proofSchema: z.ZodType<FullProof> = z.object({ password: z.string().min(1), code: z.string().min(1) })

/** New recovery codes for a signed-in user. A session alone does not get them, and neither does a password. */
export class RecoveryCodesController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<RecoveryCodesController> = { index: [], indexPost: [form(proofSchema)] }

  readonly #codes = inject(RecoveryCodes)
  readonly #factors = inject(TotpFactors)
  readonly #secondFactors = inject(SecondFactors)
  readonly #passwords = inject(PasswordCheck)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)

  /**
   * @returns The page that says how many codes are left, and asks for password and code; a redirect without an enabled factor.
   */
  async index(): Promise<View | Response> {
    const { id } = this.context.auth().principalAs(Account)
    if (!(await this.#secondFactors.isRequired(id))) return this.redirectToRoute('account:home')
    return this.#proofPage({ form: blankForm() })
  }

  /**
   * Makes a new set. The old one stops counting, and the other sessions of the account end.
   *
   * @param form The form.
   * @returns The codes, shown once; the page with the error when something was not proven.
   * @throws {TooManyRequestsException} If the password or the codes of the account are locked, for a client that prefers JSON.
   */
  async indexPost(form: Submitted<FullProof>): Promise<View | Response> {
    if (!form.ok) return this.#proofPage({ form, status: 422 })
    const account = this.context.auth().principalAs(Account)
    try {
      if (!(await this.#isProven(account, form.value)))
        return this.#proofPage({ form: form.refuse(NOT_PROVEN), status: 422 })
    } catch (error) {
      return this.#refuseLocked(error, form)
    }
    const renewed = await this.#codes.renew(account.id, this.context.clientAddress())
    await keepCredentialVersion(this.context.session(), renewed.credentialVersion)
    await this.#notices.tell(account.id, 'recovery-codes-renewed')
    return this.page('account/new-recovery-codes', { ...codesPage(renewed.codes, 'account') })
  }

  // Which of both was wrong is not told; both are limited, and both are recorded.
  async #isProven(account: Account, { password, code }: FullProof): Promise<boolean> {
    const clientAddress = this.context.clientAddress()
    try {
      const { identifier } = await this.#passwords.verify({ email: account.email, password, clientAddress })
      if (identifier !== account.id) return false
    } catch (error) {
      if (error instanceof ValidationException) return false
      throw error
    }
    if (await this.#factors.verifyAndConsume(account, code, this.#clock)) return true
    await this.#audit.record({ kind: AuditEvent.CodeRefused, accountId: account.id, clientAddress })
    return false
  }

  #refuseLocked(error: unknown, form: AcceptedForm<FullProof>): Promise<View> {
    if (!(error instanceof TooManyRequestsException) || prefersJson(this.context.header('accept')))
      throw error
    const minutes = toMinutes(Number(error.headers['retry-after']))
    const warning = { id: 'sign-in.locked', values: { minutes } }
    return this.#proofPage({ form: form.refuse(), warning, status: 429, headers: error.headers })
  }

  async #proofPage({ form, warning, status = 200, headers = {} }: ProofPage): Promise<View> {
    const { id } = this.context.auth().principalAs(Account)
    const page = { title: 'new-codes.title', failed: status !== 200, page: 'account', narrow: true }
    const data = { ...page, form, warning, left: await this.#codes.left(id) }
    return this.page('account/recovery-codes', data, { status, headers })
  }
}

interface ProofPage {
  readonly form: ShownForm
  readonly warning?: PageMessage
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

const NOT_PROVEN = {
  field: null,
  code: 'not_proven',
  fallback: 'The password or the code is wrong',
  domain: 'auth',
}

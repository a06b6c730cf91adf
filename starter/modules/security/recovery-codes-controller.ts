import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Account } from '../../identity/accounts/account.ts'
import { RecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import { SecondFactors } from '../../identity/factors/second-factors.ts'
import { Notices } from '../../identity/mail/notices.ts'
import { keepCredentialVersion } from '../../identity/sessions/session-credentials.ts'
import { carryProofs } from '../../identity/step-up/proofs.ts'
import { PageController } from '../page-controller.ts'
import { codesPage } from '../presentation.ts'

/** New recovery codes for a signed-in user who has just proven password and factor. */
export class RecoveryCodesController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<RecoveryCodesController> = { index: [], indexPost: [] }

  readonly #codes = inject(RecoveryCodes)
  readonly #factors = inject(SecondFactors)
  readonly #notices = inject(Notices)

  /**
   * @returns The page that says how many codes are left; a redirect without an enabled factor.
   */
  async index(): Promise<View | Response> {
    const { id } = this.context.auth().principalAs(Account)
    if (!(await this.#factors.isRequired(id))) return this.redirectToRoute('account:home')
    const page = { title: 'new-codes.title', page: 'security', narrow: true }
    return this.page('security/recovery-codes', { ...page, left: await this.#codes.left(id) })
  }

  /**
   * Makes a new set. The old one stops counting, and the other sessions of the account end.
   *
   * @returns The codes, shown once; a redirect without an enabled factor.
   */
  async indexPost(): Promise<View | Response> {
    const { context } = this
    const { id: identifier } = context.auth().principalAs(Account)
    if (!(await this.#factors.isRequired(identifier))) return this.redirectToRoute('account:home')
    const { codes, credentialVersion } = await this.#codes.renew(identifier, context.clientAddress())
    await carryProofs(context.session(), { identifier, credentialVersion })
    await keepCredentialVersion(context.session(), credentialVersion)
    await this.#notices.tell(identifier, 'recovery-codes-renewed')
    return this.page('security/new-recovery-codes', { ...codesPage(codes, 'security') })
  }
}

import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { RecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import { SecondFactors } from '../../identity/factors/second-factors.ts'
import { codesPage } from '../presentation.ts'
import { SecurityPage } from './security-page.ts'

/** New recovery codes for a signed-in user who has just proven password and factor. */
export class RecoveryCodesController extends SecurityPage {
  /** Actions and their parameters. */
  static readonly actions: Actions<RecoveryCodesController> = { index: [], indexPost: [] }

  readonly #codes = inject(RecoveryCodes)
  readonly #factors = inject(SecondFactors)

  /**
   * @returns The page that says how many codes are left; a redirect without an enabled factor.
   */
  async index(): Promise<View | Response> {
    const { id } = this.account()
    if (!(await this.#factors.isRequired(id))) return this.redirectToRoute('security:home')
    const page = { title: 'new-codes.title', page: 'security', narrow: true }
    return this.page('security/recovery-codes', { ...page, left: await this.#codes.left(id) })
  }

  /**
   * Makes a new set. The old one stops counting, and the other sessions of the account end.
   *
   * @returns The codes, shown once; a redirect without an enabled factor.
   */
  async indexPost(): Promise<View | Response> {
    const { id } = this.account()
    if (!(await this.#factors.isRequired(id))) return this.redirectToRoute('security:home')
    const asked = { clientAddress: this.context.clientAddress(), credentialVersion: await this.version() }
    const renewed = await this.#codes.renew(id, asked)
    if (renewed === undefined) return this.leave('warning', 'security.outdated')
    await this.goOn(renewed.credentialVersion, {})
    await this.notices.tell(id, 'recovery-codes-renewed')
    return this.page('security/new-recovery-codes', { ...codesPage(renewed.codes, 'security') })
  }
}

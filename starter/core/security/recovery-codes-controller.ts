import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import { SecurityPage } from './security-page.ts'
import { TurnedAway } from '../sessions/turned-away.ts'

/** New recovery codes for a signed-in user who has just proven password and factor. */
export class RecoveryCodesController extends SecurityPage {
  static readonly actions: Actions<RecoveryCodesController> = { index: [], indexPost: [] }

  readonly #codes = inject(RecoveryCodes)
  readonly #factors = inject(SecondFactors)

  async index(): Promise<View | Response> {
    const { id } = this.account()
    if (!(await this.#factors.isRequired(id))) return this.turnBack(TurnedAway.noFactor)
    const page = { title: 'new-codes.title', page: 'security', narrow: true }
    return this.page('security/recovery-codes', { ...page, left: await this.#codes.left(id) })
  }

  /** Makes a new set, which is shown once. The old one stops counting, and the other sessions of the account end. */
  async indexPost(): Promise<View | Response> {
    const { id } = this.account()
    if (!(await this.#factors.isRequired(id))) return this.turnBack(TurnedAway.noFactor)
    const renewed = await this.#codes.renew(await this.changing())
    if (renewed === undefined) return this.turnBack(TurnedAway.outOfDate)
    await this.goOn(renewed.credentialVersion, {})
    return this.codesPage(renewed.set.codes)
  }
}

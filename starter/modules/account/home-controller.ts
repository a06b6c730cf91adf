import { Controller, inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Account } from '../../identity/accounts/account.ts'
import { AuditTrail } from '../../identity/audit/audit-trail.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import { toEventLines, toMoment } from '../presentation.ts'

const SHOWN_LINES = 12

/** The account page, for signed-in users. */
export class HomeController extends Controller {
  /** Actions and their parameters. */
  static readonly actions: Actions<HomeController> = { index: [] }

  readonly #factors = inject(TotpFactors)
  readonly #audit = inject(AuditTrail)

  /**
   * @returns The account and its recent activity.
   */
  async index(): Promise<View> {
    const { id } = this.context.auth().principalAs(Account)
    const summaries = await this.#audit.summary(SHOWN_LINES, id)
    const factors = await this.#factors.list(id)
    return this.view('account/home', {
      title: 'Your account',
      page: 'account',
      events: toEventLines(summaries, { named: false }),
      factors: factors.map((factor) => ({
        label: factor.label,
        enabled: toMoment(factor.enabledAt),
        used: toMoment(factor.usedAt),
      })),
    })
  }
}

import { inject } from 'sallyport'
import { AccountSessions } from 'sallyport/auth'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Permissions } from '../accounts/permissions.ts'
import { CODE_PAGE } from '../factors/factor-kinds.ts'
import { PageController } from '../pages/page-controller.ts'
import { AuditTrail, PASSWORD_UNFINISHED } from '../audit/audit-trail.ts'
import { RecoveryCodes } from '../factors/recovery-codes.ts'
import { SecondFactors } from '../factors/second-factors.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { factorName } from '../messages/factor-names.ts'
import { lostOffer } from './lost-offer.ts'

const READ_LINES = 8
const SHOWN_LINES = 4

/** The account page, for signed-in users. */
export class HomeController extends PageController {
  static readonly actions: Actions<HomeController> = { index: [] }

  readonly #permissions = inject(Permissions)
  readonly #factors = inject(SecondFactors)
  readonly #codes = inject(RecoveryCodes)
  readonly #audit = inject(AuditTrail)
  readonly #sessions = inject(AccountSessions)
  readonly #policy = inject(FactorPolicy)

  async index(): Promise<View> {
    const { id } = this.account()
    const summaries = await this.#audit.summary(READ_LINES, id)
    const held = await this.#factors.held(id)
    return this.page('account/home', {
      title: 'account.title',
      page: 'account',
      isUnfinished: summaries.some(({ kind }) => kind === PASSWORD_UNFINISHED),
      events: this.linesOf(summaries.slice(0, SHOWN_LINES), false),
      codesLeft: held.length === 0 ? 0 : await this.#codes.left(id),
      sessions: (await this.#sessions.list(id)).length,
      permissions: this.#permissions.all
        .filter((permission) => this.context.auth().allows(permission))
        .map((permission) => this.#permissions.lineOf(permission)),
      lost: await lostOffer(
        this.context.session(),
        id,
        held.filter(({ is }) => is.page === CODE_PAGE),
      ),
      factors: held.map(factorName),
      ...(await this.slots.dataFor(['home'], this.context, this.#policy.holderOf(this.context.auth()))),
    })
  }
}

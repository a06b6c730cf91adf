import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { PageSlots } from '../../core/page-slots.ts'
import { Permissions } from '../../identity/accounts/permissions.ts'
import { PageController } from '../page-controller.ts'
import { Account } from '../../identity/accounts/account.ts'
import { AuditTrail, PASSWORD_UNFINISHED } from '../../identity/audit/audit-trail.ts'
import { Passkeys } from '../../identity/factors/passkeys.ts'
import { RecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import { FactorPolicy } from '../../identity/policy/factor-policy.ts'
import { lostOffer } from '../security/lost-offer.ts'
import { toEventLines, toMoment } from '../presentation.ts'
import { toPasskeyLines } from '../passkeys/passkey-lines.ts'

const SHOWN_LINES = 8

/** The account page, for signed-in users. */
export class HomeController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<HomeController> = { index: [] }

  readonly #permissions = inject(Permissions)
  readonly #factors = inject(TotpFactors)
  readonly #codes = inject(RecoveryCodes)
  readonly #audit = inject(AuditTrail)
  readonly #policy = inject(FactorPolicy)
  readonly #slots = inject(PageSlots)
  readonly #passkeys = inject(Passkeys)

  /**
   * @returns The account and its recent activity.
   */
  async index(): Promise<View> {
    const account = this.context.auth().principalAs(Account)
    const { id } = account
    const summaries = await this.#audit.summary(SHOWN_LINES, id)
    const locale = this.context.locale()
    const factors = await this.#factors.list(id)
    const passkeys = await this.#passkeys.list(id)
    return this.page('account/home', {
      title: 'account.title',
      page: 'account',
      isUnfinished: summaries.some(({ kind }) => kind === PASSWORD_UNFINISHED),
      events: toEventLines(summaries, { named: false, locale }),
      passkeys: toPasskeyLines(passkeys, locale),
      codesLeft: factors.length + passkeys.length === 0 ? 0 : await this.#codes.left(id),
      permissions: this.#permissions.all
        .filter((permission) => this.context.auth().allows(permission))
        .map((permission) => this.#permissions.lineOf(permission)),
      lost: await lostOffer(this.context.session(), id, factors),
      factors: factors.map((factor) => ({
        label: this.shownLabel(factor.label),
        enabled: toMoment(factor.enabledAt, locale),
        used: toMoment(factor.usedAt, locale),
      })),
      ...(await this.#slots.fill('home', this.context, this.#policy.holderOf(this.context.auth()))),
    })
  }
}

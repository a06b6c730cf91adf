import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { Permissions } from '../../identity/accounts/permissions.ts'
import { PageController } from '../page-controller.ts'
import { Account } from '../../identity/accounts/account.ts'
import { AuditTrail, PASSWORD_UNFINISHED } from '../../identity/audit/audit-trail.ts'
import { Passkeys } from '../../identity/factors/passkeys.ts'
import { RecoveryCodes } from '../../identity/factors/recovery-codes.ts'
import type { FactorKind } from '../../identity/factors/factor-kinds.ts'
import { TotpFactors } from '../../identity/factors/totp-factors.ts'
import { FactorPolicy } from '../../identity/policy/factor-policy.ts'
import { lostOffer } from '../security/lost-offer.ts'
import { dateOf, type PageMessage, toEventLines, toMoment } from '../presentation.ts'
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
    const held = new Set<FactorKind>(factors.map(({ kind }) => kind))
    if (passkeys.length > 0) held.add('passkey')
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
      duty: await this.#duty(held),
      lost: await lostOffer(this.context.session(), id, factors),
      factors: factors.map((factor) => ({
        label: this.shownLabel(factor.label),
        enabled: toMoment(factor.enabledAt, locale),
        used: toMoment(factor.usedAt, locale),
      })),
    })
  }

  async #duty(held: ReadonlySet<FactorKind>): Promise<PageMessage | undefined> {
    const duty = await this.#policy.dutyOf(this.#policy.holderOf(this.context.auth()), held)
    if (duty === undefined) return undefined
    const isPasskey = !duty.kinds.includes('totp')
    if (duty.isDue) return { id: isPasskey ? 'duty.overdue.passkey' : 'duty.overdue' }
    const values = { date: dateOf(duty.from, this.context.locale()) }
    return { id: isPasskey ? 'duty.reminder.passkey' : 'duty.reminder', values }
  }
}

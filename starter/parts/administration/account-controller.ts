import { inject } from 'sallyport'
import { AccountSessions } from 'sallyport/auth'
import { NotFoundException } from 'sallyport/http'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { AccountDirectory } from './account-directory.ts'
import { ActLog } from './act-log.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { SecondFactors } from '../../core/factors/second-factors.ts'
import { kindNamedBy } from '../../core/messages/factor-names.ts'
import { Permissions } from '../../core/accounts/permissions.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { TIMES } from '../../core/messages/language.ts'

const SHOWN_LINES = 10

/** One account: what it has, and what happened to it. Nothing on the page proves anything. */
export class AccountController extends PageController {
  static readonly actions: Actions<AccountController> = { index: [param.string('id')] }

  readonly #permissions = inject(Permissions)
  readonly #directory = inject(AccountDirectory)
  readonly #factors = inject(SecondFactors)
  readonly #sessions = inject(AccountSessions)
  readonly #audit = inject(AuditTrail)
  readonly #log = inject(ActLog)

  async index(id: string): Promise<View> {
    const account = await this.#directory.find(id)
    if (account === undefined) throw new NotFoundException('There is no such account')
    const locale = this.context.locale()
    const factors = await this.#factors.usable(id)
    const { permissions } = account
    const conditions = await this.#directory.conditions([id])
    return this.page('administration::account', {
      title: 'admin.account.title',
      page: 'admin',
      account,
      created: TIMES.moment(account.createdAt, locale),
      conditions: conditions.get(id)?.map(({ kind, until }) => ({
        what: `admin.condition.${kind}`,
        lead: kind === 'deletion' ? 'admin.from' : 'admin.until',
        time: TIMES.moment(until, locale),
      })),
      isOwn: this.account().id === id,
      sessions: (await this.#sessions.list(id)).length,
      factors: factors.map(({ kind, label, usedAt }) => ({
        kind: kindNamedBy(label) !== undefined ? 'account.factor.name' : `sessions.proven.${kind}`,
        label: this.shownLabel(label),
        used: TIMES.moment(usedAt, locale),
      })),
      permissions: [...new Set([...this.#permissions.all, ...permissions])].map((name) => ({
        ...this.#permissions.lineOf(name),
        isHeld: permissions.includes(name),
      })),
      acts: await this.#log.latest(SHOWN_LINES, locale, id),
      events: this.linesOf(await this.#audit.summary(SHOWN_LINES, id), false),
    })
  }
}

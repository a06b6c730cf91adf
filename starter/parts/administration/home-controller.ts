import { inject } from 'sallyport'
import { type Actions, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { toEventLines, toMoment } from '../../core/pages/presentation.ts'
import { AccountDirectory } from './account-directory.ts'
import { toActLines, toMarks } from './account-lines.ts'
import { ActLog } from './act-log.ts'
import { WithoutFactor } from './without-factor.ts'

// RFC 5321, 4.5.3.1.3: nothing that is searched for is longer.
const MAX_CHARACTERS = 254
const SHOWN_LINES = 20
const SHOWN_ACCOUNTS = 50

/** How address or name begin, and behind which account the page begins. */
interface Search {
  readonly q?: string | undefined
  readonly after?: string | undefined
}

const text = z.string().trim().max(MAX_CHARACTERS).optional().catch(undefined)
const searchSchema: z.ZodType<Search> = z.object({ q: text, after: text })

/** Which part of a list, from 1. */
interface Part {
  readonly page: number
}

const partSchema: z.ZodType<Part> = z.object({ page: z.coerce.number().int().min(1).max(100_000).catch(1) })

/** The accounts, the audit trail, and who holds no second factor: for users with the permission `admin.access`. */
export class HomeController extends PageController {
  static readonly actions: Actions<HomeController> = {
    index: [input(searchSchema)],
    trail: [],
    withoutFactor: [input(partSchema)],
  }

  readonly #directory = inject(AccountDirectory)
  readonly #audit = inject(AuditTrail)
  readonly #log = inject(ActLog)
  readonly #withoutFactor = inject(WithoutFactor)

  async index({ q = '', after = '' }: Search): Promise<View> {
    const { accounts, next } = await this.#directory.list({ search: q, after })
    const conditions = await this.#directory.conditions(accounts.map(({ id }) => id))
    const search = q === '' ? {} : { q }
    return this.page('administration::home', {
      title: 'admin.title',
      page: 'admin',
      q,
      accounts: accounts.map((account) => ({ ...account, marks: toMarks(conditions.get(account.id)) })),
      first: after === '' ? '' : this.context.url('admin:home', search),
      next: next === null ? '' : this.context.url('admin:home', { ...search, after: next }),
    })
  }

  /** What the administration did, and what else happened. */
  async trail(): Promise<View> {
    const locale = this.context.locale()
    return this.page('administration::trail', {
      title: 'admin.trail',
      page: 'admin',
      acts: toActLines(await this.#log.latest(SHOWN_LINES), { locale, named: true }),
      events: toEventLines(await this.#audit.summary(SHOWN_LINES), { named: true, locale }),
    })
  }

  /** The accounts without a second factor: those that must hold one first. */
  async withoutFactor({ page }: Part): Promise<View> {
    const offset = (page - 1) * SHOWN_ACCOUNTS
    const rows = await this.#withoutFactor.list({ limit: SHOWN_ACCOUNTS + 1, offset })
    const url = (number: number): string => this.context.url('admin:without-factor', { page: String(number) })
    return this.page('administration::without-factor', {
      title: 'admin.without-factor.title',
      page: 'admin',
      accounts: rows.slice(0, SHOWN_ACCOUNTS).map((row) => ({
        ...row,
        due: row.from === null ? undefined : toMoment(row.from, this.context.locale()),
      })),
      previous: page > 1 ? url(page - 1) : '',
      next: rows.length > SHOWN_ACCOUNTS ? url(page + 1) : '',
    })
  }
}

import { inject } from 'sallyport'
import { type Actions, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { ActLog } from './act-log.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { toEventLines, toMoment } from '../../core/pages/presentation.ts'
import { toActLines } from './act-lines.ts'
import { WithoutFactor } from './without-factor.ts'

const SHOWN_LINES = 20
const SHOWN_ACCOUNTS = 50

/** Which part of a list. */
interface Part {
  readonly page: number
}

const partSchema: z.ZodType<Part> = z.object({ page: z.coerce.number().int().min(1).max(100_000).catch(1) })

/** Reports of the administration: the audit trail, and who holds no second factor. */
export class ReportsController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<ReportsController> = { trail: [], withoutFactor: [input(partSchema)] }

  readonly #audit = inject(AuditTrail)
  readonly #log = inject(ActLog)
  readonly #withoutFactor = inject(WithoutFactor)

  /** @returns What the administration did, and what else happened. */
  async trail(): Promise<View> {
    const locale = this.context.locale()
    return this.page('administration::trail', {
      title: 'admin.trail',
      page: 'admin',
      acts: toActLines(await this.#log.latest(SHOWN_LINES), { locale, named: true }),
      events: toEventLines(await this.#audit.summary(SHOWN_LINES), { named: true, locale }),
    })
  }

  /**
   * @param query `page`: its number, from 1.
   * @returns The accounts without a second factor: those that must hold one first.
   */
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

import { inject } from 'sallyport'
import { type Actions, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { AccountDirectory } from './account-directory.ts'
import { ActLog } from './act-log.ts'

// RFC 5321, 4.5.3.1.3: nothing that is searched for is longer.
const MAX_CHARACTERS = 254
const SHOWN_LINES = 20

/** Which accounts are listed. */
interface Search {
  /** How address or name begin. */
  readonly q?: string | undefined
  /** Behind which account the page begins. */
  readonly after?: string | undefined
  /** `none`: only those without a second step. */
  readonly factor?: 'none' | undefined
}

const text = z.string().trim().max(MAX_CHARACTERS).optional().catch(undefined)
const searchSchema: z.ZodType<Search> = z.object({
  q: text,
  after: text,
  factor: z.literal('none').optional().catch(undefined),
})

/** The accounts, and the audit trail: for users with the permission `admin.access`. */
export class HomeController extends PageController {
  static readonly actions: Actions<HomeController> = { index: [input(searchSchema)], trail: [] }

  readonly #directory = inject(AccountDirectory)
  readonly #audit = inject(AuditTrail)
  readonly #log = inject(ActLog)

  async index({ q = '', after = '', factor }: Search): Promise<View> {
    const { accounts, next } = await this.#directory.list({
      search: q,
      after,
      withoutFactor: factor === 'none',
    })
    const conditions = await this.#directory.conditions(accounts.map(({ id }) => id))
    const search = { ...(q !== '' && { q }), ...(factor && { factor }) }
    return this.page('administration::home', {
      title: 'admin.title',
      page: 'admin',
      q,
      factor,
      accounts: accounts.map((account) => ({
        ...account,
        marks: [...new Set(conditions.get(account.id)?.map(({ mark }) => `admin.mark.${mark}`))],
      })),
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
      acts: await this.#log.latest(SHOWN_LINES, locale),
      events: this.linesOf(await this.#audit.summary(SHOWN_LINES), true),
    })
  }
}

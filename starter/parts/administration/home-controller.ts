import { inject } from 'sallyport'
import { type Actions, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { AccountConditions } from './account-conditions.ts'
import { AccountDirectory } from './account-directory.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { toMarks } from './condition-lines.ts'

// RFC 5321, 4.5.3.1.3: nothing that is searched for is longer.
const MAX_CHARACTERS = 254

/** What is searched for, and behind which account the page begins. */
interface Search {
  readonly q?: string | undefined
  readonly after?: string | undefined
}

const text = z.string().trim().max(MAX_CHARACTERS).optional().catch(undefined)
const searchSchema: z.ZodType<Search> = z.object({ q: text, after: text })

/** The accounts, for users with the permission `admin.access`. */
export class HomeController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<HomeController> = { index: [input(searchSchema)] }

  readonly #directory = inject(AccountDirectory)
  readonly #conditions = inject(AccountConditions)

  /**
   * @param query `q`: how address or name begin; `after`: where the page begins.
   * @returns A page of accounts.
   */
  async index({ q = '', after = '' }: Search): Promise<View> {
    const { accounts, next } = await this.#directory.list({ search: q, after })
    const conditions = await this.#conditions.of(accounts)
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
}

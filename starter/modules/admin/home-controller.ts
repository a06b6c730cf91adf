import { inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { PageController } from '../page-controller.ts'
import { AuditTrail } from '../../identity/audit/audit-trail.ts'
import { Users } from '../../identity/accounts/users.ts'
import { toEventLines } from '../presentation.ts'

const SHOWN_ACCOUNTS = 50
const SHOWN_LINES = 20

/** The accounts and the audit trail, for users with the permission `admin.access`. */
export class HomeController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<HomeController> = { index: [] }

  readonly #users = inject(Users)
  readonly #audit = inject(AuditTrail)

  /**
   * @returns The first accounts by name, and the newest entries of the audit trail.
   */
  async index(): Promise<View> {
    const summaries = await this.#audit.summary(SHOWN_LINES)
    return this.page('admin/home', {
      title: 'admin.title',
      page: 'admin',
      accounts: await this.#users.list(SHOWN_ACCOUNTS),
      events: toEventLines(summaries, { named: true, locale: this.context.locale() }),
    })
  }
}

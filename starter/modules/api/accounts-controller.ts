import { Controller, inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { Users } from '../../identity/accounts/users.ts'

const MAX_ACCOUNTS = 100

/** The accounts, for tokens with the permission of the administration. */
export class AccountsController extends Controller {
  /** Actions and their parameters. */
  static readonly actions: Actions<AccountsController> = { index: [] }

  readonly #users = inject(Users)

  /**
   * @returns The first accounts by name.
   */
  async index(): Promise<object> {
    return { accounts: await this.#users.list(MAX_ACCOUNTS) }
  }
}

import { Controller, inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { Accounts } from './accounts.ts'

export class AccountController extends Controller {
  static readonly actions = { index: [] } satisfies Actions<AccountController>

  readonly #accounts = inject(Accounts)

  index() {
    return this.view('accounts', { accounts: this.#accounts.list() })
  }
}

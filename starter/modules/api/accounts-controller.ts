import { Controller, inject } from 'sallyport'
import { type Actions, input, param } from 'sallyport/routing'
import { z } from 'zod'
import { Users } from '../../identity/accounts/users.ts'
import { AccountStates } from '../../identity/administration/account-states.ts'
import type { Act } from '../../identity/administration/acts.ts'
import { SessionEnds } from '../../identity/administration/session-ends.ts'
import { ApiClient } from '../../identity/tokens/api-client.ts'

const MAX_ACCOUNTS = 100

/** Why something is done. */
interface Reason {
  readonly reason: string
}

const reasonSchema: z.ZodType<Reason> = z.object({ reason: z.string() })

/**
 * The accounts, for tokens of administrators. The use cases are those of the pages: the permission opens them, and their own rules
 * decide, for the account of the token.
 */
export class AccountsController extends Controller {
  /** Actions and their parameters. */
  static readonly actions: Actions<AccountsController> = {
    index: [],
    disablePost: [param.string('id'), input(reasonSchema)],
    enablePost: [param.string('id'), input(reasonSchema)],
    endSessionsPost: [param.string('id'), input(reasonSchema)],
  }

  readonly #users = inject(Users)
  readonly #states = inject(AccountStates)
  readonly #sessions = inject(SessionEnds)

  /**
   * @returns The first accounts by name.
   */
  async index(): Promise<object> {
    return { accounts: await this.#users.list(MAX_ACCOUNTS) }
  }

  /**
   * @param id The account.
   * @param given Why.
   * @returns Whether that changed something.
   */
  async disablePost(id: string, given: Reason): Promise<object> {
    return { changed: await this.#states.disable(this.#act(given), id) }
  }

  /**
   * @param id The account.
   * @param given Why.
   * @returns Whether that changed something.
   */
  async enablePost(id: string, given: Reason): Promise<object> {
    return { changed: await this.#states.enable(this.#act(given), id) }
  }

  /**
   * @param id The account.
   * @param given Why.
   * @returns How many sessions ended.
   */
  async endSessionsPost(id: string, given: Reason): Promise<object> {
    return { ended: await this.#sessions.endAll(this.#act(given), id) }
  }

  #act({ reason }: Reason): Act {
    const { account } = this.context.auth().principalAs(ApiClient)
    const clientAddress = this.context.clientAddress()
    return { by: { kind: 'account', id: account.id, clientAddress }, reason }
  }
}

import { Controller, inject } from 'sallyport'
import { ValidationException, Violation } from 'sallyport/input'
import { type Actions, input, param } from 'sallyport/routing'
import { z } from 'zod'
import { clientOf } from 'sallyport-app/clients'
import { AccountDirectory, MAX_ACCOUNTS_PER_PAGE } from '../administration/account-directory.ts'
import { AccountActs } from '../administration/account-acts.ts'
import type { Act } from '../administration/acts.ts'
import { TokenCheck } from '../api/token-check.ts'
import { listResponse, pageLimit } from '../api/paging.ts'

/** Which part of the list is asked for. */
interface Place {
  readonly limit: number
  readonly after?: string | undefined
}

const placeSchema: z.ZodType<Place> = z.object({
  limit: pageLimit(MAX_ACCOUNTS_PER_PAGE),
  after: z.string().min(1).optional(),
})

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
  static readonly actions: Actions<AccountsController> = {
    index: [input(placeSchema)],
    disablePost: [param.string('id'), input(reasonSchema)],
    enablePost: [param.string('id'), input(reasonSchema)],
    endSessionsPost: [param.string('id'), input(reasonSchema)],
  }

  readonly #directory = inject(AccountDirectory)
  readonly #acts = inject(AccountActs)
  readonly #tokens = inject(TokenCheck)

  /**
   * @param place `limit`, and `after`: reference of the account that the page before ended with.
   * @returns The accounts by address, and the path of those after them.
   * @throws {ValidationException} If there is no account `after`. The first page would look like the next one.
   */
  async index({ limit, after }: Place): Promise<Response> {
    if (after !== undefined && (await this.#directory.find(after)) === undefined)
      throw new ValidationException([new Violation(UNKNOWN_PLACE)])
    const { accounts, next } = await this.#directory.list({ search: '', after: after ?? '', limit })
    return listResponse(this.context, {
      body: { accounts },
      route: 'api:accounts',
      first: { limit },
      next: next === null ? null : { after: next },
    })
  }

  async disablePost(id: string, given: Reason): Promise<object> {
    return { changed: await this.#acts.disable(await this.#act(given), id) }
  }

  async enablePost(id: string, given: Reason): Promise<object> {
    return { changed: await this.#acts.enable(await this.#act(given), id) }
  }

  async endSessionsPost(id: string, given: Reason): Promise<object> {
    return { ended: await this.#acts.endSessions(await this.#act(given), id) }
  }

  // The token was judged when the head of the request came. Since then the client may have held back the body until it was revoked.
  async #act({ reason }: Reason): Promise<Act> {
    const { context } = this
    const from = clientOf(context)
    const client = await this.#tokens.verify(context.authorization()?.token ?? '', () => from)
    return { by: { kind: 'account', id: client.account.id, ...from }, reason }
  }
}

const UNKNOWN_PLACE = { field: 'after', code: 'unknown', fallback: 'There is no such account' }

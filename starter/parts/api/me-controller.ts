import { Controller, inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import { clientOf } from 'sallyport-app/clients'
import { ApiClient } from './token-check.ts'
import { ApiTokens } from './api-tokens.ts'
import { toIso } from './paging.ts'

/** Who calls. */
export class MeController extends Controller {
  static readonly actions: Actions<MeController> = { index: [], tokenDelete: [] }

  readonly #tokens = inject(ApiTokens)

  /** @returns The account, the token, and what it may do now. */
  index(): object {
    const { account, token, scopes } = this.context.auth().principalAs(ApiClient)
    return {
      account: { id: account.id, name: account.name, email: account.email },
      token: { id: token.id, name: token.name, expiresAt: toIso(token.expiresAt), scopes },
    }
  }

  /** Revokes the token of this request: for a program that is done, or one that has leaked its token. */
  async tokenDelete(): Promise<void> {
    const { account, token } = this.context.auth().principalAs(ApiClient)
    const owner = { accountId: account.id, ...clientOf(this.context) }
    await this.#tokens.revoke(owner, token.id)
  }
}

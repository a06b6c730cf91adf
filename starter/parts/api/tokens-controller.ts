import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { OpenSessions } from 'sallyport-app/sessions'
import { ApiTokens } from './api-tokens.ts'
import { Permissions } from '../../core/accounts/permissions.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { TIMES } from '../../core/messages/language.ts'
import { TurnedAway } from '../../core/sessions/turned-away.ts'

/** The list of one's tokens, and what can be done with each. */
export class TokensController extends PageController {
  static readonly actions: Actions<TokensController> = {
    index: [],
    revokePost: [param.string('id')],
    confirm: [param.string('id')],
    confirmPost: [param.string('id')],
  }

  readonly #permissions = inject(Permissions)
  readonly #tokens = inject(ApiTokens)
  readonly #open = inject(OpenSessions)

  async index(): Promise<View> {
    const { accountId } = this.owner()
    const locale = this.context.locale()
    const tokens = (await this.#tokens.list(accountId)).map(({ createdAt, expiresAt, usedAt, ...token }) => ({
      ...token,
      scopes: token.scopes.map((name) => this.#permissions.lineOf(name)),
      created: TIMES.moment(createdAt, locale),
      expires: TIMES.moment(expiresAt, locale),
      used: TIMES.moment(usedAt, locale),
    }))
    return this.page('api::list', { title: 'tokens.title', page: 'tokens', tokens })
  }

  /**
   * Revokes a token of one's own. It needs no proof: taking power away is never a danger.
   *
   * @returns A redirect to the list.
   */
  async revokePost(id: string): Promise<Response> {
    if (!(await this.#tokens.revoke(this.owner(), id)))
      return this.turnAway(TurnedAway.notThere, 'tokens:list')
    return this.redirectSaying(this.context.url('tokens:list'), 'tokens.revoked')
  }

  /** @returns A redirect to the list, for a user who has confirmed that a token shall be kept: nothing happens by itself. */
  confirm(_id: string): Response {
    return this.redirectToRoute('tokens:list')
  }

  /** @returns A redirect to the list, where the token counts again. */
  async confirmPost(id: string): Promise<Response> {
    const session = this.context.session()
    const owner = this.owner()
    const { credentialVersion, stands } = await this.#open.held(session, owner.accountId)
    if (!(await this.#tokens.confirm(owner, id, { credentialVersion, stands })))
      return this.turnAway(TurnedAway.notThere, 'tokens:list')
    return this.redirectSaying(this.context.url('tokens:list'), 'tokens.confirmed')
  }
}

import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { ApiTokens, type ListedToken } from './api-tokens.ts'
import { OpenSessions } from '../../core/sessions/open-sessions.ts'
import { type PermissionLine, Permissions } from '../../core/accounts/permissions.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { type Moment, toMoment } from '../../core/pages/presentation.ts'
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
    const tokens = (await this.#tokens.list(accountId)).map((token) => this.#shown(token, locale))
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

  /** @returns The page that asks whether the owner knows a suspended token. */
  async confirm(id: string): Promise<View> {
    const tokens = await this.#tokens.list(this.owner().accountId)
    const token = tokens.find((each) => each.id === id)
    if (token?.state !== 'suspended') return this.turnAway(TurnedAway.notThere, 'tokens:list')
    const shown = this.#shown(token, this.context.locale())
    return this.page('api::confirm', {
      title: 'tokens.confirm.title',
      page: 'tokens',
      narrow: true,
      token: shown,
    })
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

  #shown({ id, name, hint, scopes, state, ...at }: ListedToken, locale: string): ShownToken {
    const created = toMoment(at.createdAt, locale)
    return {
      id,
      name,
      hint,
      scopes: scopes.map((name) => this.#permissions.lineOf(name)),
      state,
      created,
      expires: toMoment(at.expiresAt, locale),
      used: toMoment(at.usedAt, locale),
    }
  }
}

/** A token as the pages show it. */
interface ShownToken extends Pick<ListedToken, 'id' | 'name' | 'hint' | 'state'> {
  readonly scopes: readonly PermissionLine[]
  readonly created: Moment
  readonly expires: Moment
  readonly used: Moment
}

import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import { TurnedAway } from '../../core/sessions/turned-away.ts'
import { PageController } from '../../core/pages/page-controller.ts'
import { forgetToken, idOf, readToken } from './browser-token.ts'
import { TrustedBrowsers } from './trusted-browsers.ts'

/** The end of trusted browsers. The security page lists them. */
export class TrustedBrowsersController extends PageController {
  static readonly actions: Actions<TrustedBrowsersController> = {
    revokePost: [param.string('id')],
    revokeAllPost: [],
  }

  readonly #browsers = inject(TrustedBrowsers)

  /**
   * Ends the trust in a browser of one's own. It needs no proof: taking power away is never a danger.
   *
   * @returns A redirect to the list.
   */
  async revokePost(id: string): Promise<Response> {
    if (!(await this.#browsers.revoke(this.owner(), id)))
      return this.turnAway(TurnedAway.notThere, 'security:home')
    if (idOf(readToken(this.context) ?? '') === id) forgetToken(this.context)
    return this.#list('devices.revoked')
  }

  /** @returns A redirect to the list, after the trust in every browser of the account has ended. */
  async revokeAllPost(): Promise<Response> {
    await this.#browsers.revoke(this.owner())
    return this.#list('devices.all-revoked')
  }

  #list(text: string): Promise<Response> {
    return this.redirectSaying(this.context.url('security:home'), text)
  }
}

import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import { Account } from '../../identity/accounts/account.ts'
import { clientOf } from '../../identity/clients/client.ts'
import { forgetDeviceCookie, readDeviceCookie } from '../../identity/devices/device-cookie.ts'
import type { DeviceRemover } from '../../identity/devices/device-owner.ts'
import { TrustedDevices } from '../../identity/devices/trusted-devices.ts'
import { PageController } from '../page-controller.ts'
import { TurnedAway } from '../../identity/sessions/turned-away.ts'

/** The end of trusted browsers. The security page lists them. */
export class DevicesController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<DevicesController> = {
    revokePost: [param.string('id')],
    revokeAllPost: [],
  }

  readonly #devices = inject(TrustedDevices)

  /**
   * Ends the trust in a browser of one's own. It needs no proof: taking power away is never a danger.
   *
   * @param id The browser.
   * @returns A redirect to the list.
   */
  async revokePost(id: string): Promise<Response> {
    if (!(await this.#devices.revoke(this.#owner(), id)))
      return this.turnAway(TurnedAway.notThere, 'security:home')
    if (readDeviceCookie(this.context)?.id === id) forgetDeviceCookie(this.context)
    return this.#list('devices.revoked')
  }

  /**
   * @returns A redirect to the list, after the trust in every browser of the account has ended.
   */
  async revokeAllPost(): Promise<Response> {
    await this.#devices.revokeAll(this.#owner())
    return this.#list('devices.all-revoked')
  }

  #owner(): DeviceRemover {
    return { accountId: this.context.auth().principalAs(Account).id, ...clientOf(this.context) }
  }

  async #list(notice: string): Promise<Response> {
    return this.redirectSaying(this.context.url('security:home'), { kind: 'notice', text: notice })
  }
}

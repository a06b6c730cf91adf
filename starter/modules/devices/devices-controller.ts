import { inject } from 'sallyport'
import { NotFoundException } from 'sallyport/http'
import { type Actions, param } from 'sallyport/routing'
import { Account } from '../../identity/accounts/account.ts'
import { clientOf } from '../../identity/clients/client.ts'
import { forgetDeviceCookie, readDeviceCookie } from '../../identity/devices/device-cookie.ts'
import type { DeviceRemover } from '../../identity/devices/device-owner.ts'
import { TrustedDevices } from '../../identity/devices/trusted-devices.ts'
import { PageController } from '../page-controller.ts'

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
   * @throws {NotFoundException} If the account has no such browser.
   */
  async revokePost(id: string): Promise<Response> {
    if (!(await this.#devices.revoke(this.#owner(), id))) throw new NotFoundException()
    if (readDeviceCookie(this.context)?.id === id) forgetDeviceCookie(this.context)
    return this.#list('devices.revoked')
  }

  /**
   * @returns A redirect to the list, after the trust in every browser of the account has ended.
   */
  async revokeAllPost(): Promise<Response> {
    const had = await this.#devices.revokeAll(this.#owner())
    return this.#list(had ? 'devices.all-revoked' : 'devices.gone')
  }

  #owner(): DeviceRemover {
    return { accountId: this.context.auth().principalAs(Account).id, ...clientOf(this.context) }
  }

  async #list(notice: string): Promise<Response> {
    return this.redirectSaying(this.context.url('security:home'), { kind: 'notice', text: notice })
  }
}

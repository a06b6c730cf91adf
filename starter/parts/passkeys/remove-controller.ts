import { inject } from 'sallyport'
import { type Actions, param } from 'sallyport/routing'
import { FactorController } from '../../core/security/factor-controller.ts'
import { forgetPasskey } from './forgotten.ts'
import { Passkeys } from './passkeys.ts'
import { RelyingParty } from './relying-party.ts'

/** Removes a passkey as any second factor is removed, and has the browser forget it. */
export class RemovePasskeyController extends FactorController {
  /** Actions and their parameters. */
  static override readonly actions: Actions<RemovePasskeyController> = {
    remove: [param.string('id')],
    removePost: [param.string('id')],
  }

  protected override readonly removal: string = 'passkeys:remove'
  readonly #passkeys = inject(Passkeys)
  readonly #site = inject(RelyingParty)

  /** @returns A redirect to the overview. */
  override async removePost(id: string): Promise<Response> {
    const { context } = this
    const passkey = (await this.#passkeys.list(this.account().id)).find((each) => each.id === id)
    const removed = await super.removePost(id)
    const site = this.#site.name()
    // Passkeys belong to the name of the host: where others may be on it, such as a copy with the same accounts, theirs must stay.
    const isAlone = site?.origin === context.origin() && new URL(site.origin).port === ''
    if (passkey !== undefined && isAlone && context.basePath === '')
      await forgetPasskey(context.session(), { rpId: site.id, credentialId: passkey.credentialId })
    return removed
  }
}

import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { clientOf } from 'sallyport-app/clients'
import { SecondDoor } from '../../core/sign-in/second-door.ts'
import { PasskeyProofs } from './proofs.ts'
import { type PostedPasskey, postedSchema } from './forms.ts'

/** The second door: a passkey or security key. */
export class PasskeyDoorController extends SecondDoor {
  static readonly actions: Actions<PasskeyDoorController> = { index: [], indexPost: [form(postedSchema)] }

  readonly #proofs = inject(PasskeyProofs)

  async index(): Promise<View | Response> {
    return this.pageOf('passkey', await this.door())
  }

  /** Checks the response of a passkey. It was asked for in this pending login, and of many posts of it one signs in. */
  async indexPost(form: Submitted<PostedPasskey>): Promise<View | Response> {
    const door = await this.door()
    const client = clientOf(this.context)
    const response = form.ok ? form.value.response : ''
    const posted = { session: this.context.session(), response }
    const binding = { purpose: 'second-door', to: door.challengeId } as const
    return this.attempt(door, form, {
      kind: 'passkey',
      refusedAs: 'passkey-refused',
      verify: async (challenge) => {
        const proof = await this.#proofs.proveOwn(door.proof.identifier, posted, binding)
        return this.#proofs.useUpAt(challenge, proof, client)
      },
      wrong: (triesLeft) => ({
        form: form.refuse(),
        warning: { id: 'passkey.wrong', values: { triesLeft } },
      }),
    })
  }
}

import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { challengeIdentifier } from '../../core/challenges/pending-login.ts'
import { clientOf } from '../../core/clients/client.ts'
import { Restart } from '../../core/sign-in/restart.ts'
import { SecondDoor } from '../../core/sign-in/second-door.ts'
import { PasskeyProofs } from './proofs.ts'
import { type PostedPasskey, postedSchema } from './response.ts'

/** The second door: a passkey or security key. */
export class PasskeyDoorController extends SecondDoor {
  /** Actions and their parameters. */
  static readonly actions: Actions<PasskeyDoorController> = { index: [], indexPost: [form(postedSchema)] }

  readonly #proofs = inject(PasskeyProofs)

  /** @returns The page that asks for a passkey; a redirect to the login page when no challenge is pending. */
  async index(): Promise<View | Response> {
    const proof = await this.proofOfPassword()
    return 'kind' in proof ? this.restart(proof) : this.pageOf('passkey', proof, {})
  }

  /**
   * Checks the response of a passkey. Only a right one gets past the check. It was asked for in this pending login, and of many
   * posts of it one signs in.
   *
   * @returns A redirect to the next page; for a browser with a wrong response the page with the error.
   */
  async indexPost(form: Submitted<PostedPasskey>): Promise<View | Response> {
    const { context } = this
    const proof = await this.proofOfPassword()
    if ('kind' in proof) return this.restart(proof)
    const challengeId = await challengeIdentifier(context.session())
    const triesLeft = await this.challenges.reserve(challengeId, proof.identifier)
    if (triesLeft === undefined) return this.restart(Restart.over)

    const client = clientOf(context)
    const posted = { session: context.session(), response: form.ok ? form.value.response : '', ...client }
    const binding = { purpose: 'second-door', to: challengeId } as const
    const passkey = await this.#proofs.proveOwn(proof.identifier, posted, binding)
    if (passkey === undefined) {
      if (!(await this.challenges.isOpen(challengeId))) return this.restart(Restart.over)
      const kind = 'passkey-refused'
      const spent = await this.refused(proof, { factor: { kind: 'passkey' }, kind, triesLeft })
      const warning = { id: 'passkey.wrong', values: { triesLeft } }
      return spent ?? this.pageOf('passkey', proof, { form: form.refuse(), warning, status: 422 })
    }
    const target = await this.completion.completeOnce(
      context,
      { ...proof, proven: this.provenBy(proof, 'passkey'), form: form.refuse() },
      async (database) =>
        (await this.challenges.end(challengeId, database)) &&
        this.#proofs.useUp(database, passkey, { ...client, challengeId }),
    )
    if (target === undefined) return this.restart(Restart.over)
    await this.#proofs.tellUsed(passkey)
    return this.redirect(target)
  }
}

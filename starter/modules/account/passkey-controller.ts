import { inject } from 'sallyport'
import type { ShownForm, Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { clientOf } from '../../identity/clients/client.ts'
import type { PasswordProof } from '../../identity/accounts/password-check.ts'
import { AuditEvent } from '../../identity/audit/audit-trail.ts'
import { challengeIdentifier } from '../../identity/challenges/pending-login.ts'
import { PasskeyProofs } from '../../identity/factors/passkey-proofs.ts'
import { Restart } from './restart.ts'
import type { Refusal } from './door-page.ts'
import { SecondDoor } from './second-door.ts'

/** The form that a script fills in with the answer of the browser. */
interface PostedPasskey {
  readonly response: string
}

const postedSchema: z.ZodType<PostedPasskey> = z.object({ response: z.string() })

/** The second door: a passkey or security key. */
export class PasskeyController extends SecondDoor {
  /** Actions and their parameters. */
  static readonly actions: Actions<PasskeyController> = { index: [], indexPost: [form(postedSchema)] }

  readonly #proofs = inject(PasskeyProofs)

  /**
   * @returns The page that asks for a passkey; a redirect to the login page when no challenge is pending.
   */
  async index(): Promise<View | Response> {
    const proof = await this.proofOfPassword()
    return 'kind' in proof ? this.restart(proof) : this.pageOf('passkey', proof, {})
  }

  /**
   * Checks the response of a passkey. Only a right one gets past the check. It was asked for in this pending login, and of many
   * posts of it one signs in.
   *
   * @param form The form. One without a response is a wrong response.
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
    const response = form.ok ? form.value.response : ''
    const posted = { session: context.session(), response, ...client }
    const binding = { purpose: 'second-door', to: challengeId } as const
    const passkey = await this.#proofs.proveOwn(proof.identifier, posted, binding)
    if (passkey !== undefined) {
      const proven = { ...proof.proven, factor: this.clock.timestamp(), kind: 'passkey' as const }
      const end = this.challenges.ending(challengeId)
      const target = await this.completion.completeOnce(
        context,
        { ...proof, proven, form: form.refuse() },
        async (database) => {
          if (!(await end(database))) return false
          return this.#proofs.useUp(database, passkey, { ...client, challengeId })
        },
      )
      if (target === undefined) return this.restart(Restart.over)
      await this.#proofs.tellUsed(passkey)
      return this.redirect(target)
    }
    if (await this.challenges.hasEnded(challengeId)) return this.restart(Restart.over)
    return this.#refuse(proof, { form: form.refuse(), triesLeft })
  }

  async #refuse(
    proof: PasswordProof,
    { form, triesLeft }: { readonly form: ShownForm; readonly triesLeft: number },
  ): Promise<View | Response> {
    const kind = AuditEvent.PasskeyRefused
    const refusal: Refusal = { factor: { kind: 'passkey' }, kind, triesLeft }
    const warning = { id: 'passkey.wrong', values: { triesLeft } }
    return (
      (await this.refused(proof, refusal)) ?? this.pageOf('passkey', proof, { form, warning, status: 422 })
    )
  }
}

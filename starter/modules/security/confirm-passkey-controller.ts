import { inject } from 'sallyport'
import { prefersJson } from 'sallyport/http'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import { z } from 'zod'
import { clientOf } from '../../identity/clients/client.ts'
import { Account } from '../../identity/accounts/account.ts'
import { AuditEvent, AuditTrail } from '../../identity/audit/audit-trail.ts'
import { invalidPasskey } from '../../identity/factors/invalid-passkey.ts'
import { PasskeyProofs } from '../../identity/factors/passkey-proofs.ts'
import { SecondFactors } from '../../identity/factors/second-factors.ts'
import { type Confirmation, StepUp } from '../../identity/step-up/step-up.ts'
import { PageController } from '../page-controller.ts'
import { SuspendedActions } from './suspended-action.ts'

/** The form that a script fills in with the answer of the browser. */
interface PostedPasskey {
  readonly response?: string | undefined
  readonly return_url?: string | undefined
}

const postedSchema: z.ZodType<PostedPasskey> = z.object({
  response: z.string().optional().catch(undefined),
  return_url: z.string().optional().catch(undefined),
})

/** Step-up: a passkey in the place of a code. */
export class ConfirmPasskeyController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<ConfirmPasskeyController> = { indexPost: [form(postedSchema)] }

  readonly #stepUp = inject(StepUp)
  readonly #suspended = inject(SuspendedActions)
  readonly #proofs = inject(PasskeyProofs)
  readonly #audit = inject(AuditTrail)
  readonly #factors = inject(SecondFactors)

  /**
   * Checks the response of a passkey of the account, which was asked for in this session. The password is asked for next, unless
   * it was proven lately.
   *
   * @param form The form. One without a response is a wrong response.
   * @returns A redirect to the page that asks for the password, or to the one of the action.
   * @throws {ValidationException} With the violation `invalid_passkey`, for a client that prefers JSON.
   */
  async indexPost(form: Submitted<PostedPasskey>): Promise<Response> {
    const { response = '', return_url: returnTo } = form.ok ? form.value : {}
    const action = await this.#suspended.read(returnTo)
    const outcome = await this.#prove(response)
    if (outcome === 'refused') {
      if (prefersJson(this.context.header('accept'))) throw invalidPasskey()
      await this.context.flash().add('warning', 'step-up.passkey-refused')
    }
    if (outcome === 'confirmed') await this.#sayWhatIsMissing(action?.name)
    return this.redirectToRoute('security:confirm', action === undefined ? {} : { return_url: action.path })
  }

  async #sayWhatIsMissing(action: string | undefined): Promise<void> {
    const { password } = await this.#stepUp.missing(this.context, action)
    if (password) await this.context.flash().add('notice', 'step-up.passkey-counts')
  }

  async #prove(response: string): Promise<Confirmation> {
    const { context } = this
    const account = context.auth().principalAs(Account)
    const client = clientOf(context)
    const posted = { session: context.session(), response, ...client }
    const binding = { purpose: 'step-up', to: account.id } as const
    const proof = await this.#proofs.proveOwn(account.id, posted, binding)
    if (proof !== undefined) {
      const consume = this.#proofs.useUp.bind(this.#proofs)
      const kind = 'passkey'
      const use = client
      const isUsedUp = await this.#stepUp.confirmFactor(context, account, {
        kind,
        consume: (database) => consume(database, proof, use),
      })
      if (!isUsedUp) return (await this.#isThere(account, proof.passkeyId)) ? 'before' : 'refused'
      await this.#proofs.tellUsed(proof)
      return 'confirmed'
    }
    await this.#audit.record({ kind: AuditEvent.PasskeyRefused, accountId: account.id, ...client })
    return 'refused'
  }

  // A response that was used up was right: a copy of this form has confirmed, unless the passkey was removed meanwhile.
  async #isThere({ id }: Account, passkeyId: string): Promise<boolean> {
    const usable = await this.#factors.usable(id)
    return usable.some((factor) => factor.kind === 'passkey' && factor.id === passkeyId)
  }
}

import { inject } from 'sallyport'
import type { Submitted } from 'sallyport/input'
import { type Actions, form } from 'sallyport/routing'
import { z } from 'zod'
import { clientOf } from '../../identity/clients/client.ts'
import { Account } from '../../identity/accounts/account.ts'
import { AuditEvent, AuditTrail } from '../../identity/audit/audit-trail.ts'
import { PasskeyProofs } from '../../identity/factors/passkey-proofs.ts'
import { type Confirmation, StepUp } from '../../identity/step-up/step-up.ts'
import { PageController } from '../page-controller.ts'
import { type TurnedAway, TurnedAwayException } from '../../identity/sessions/turned-away.ts'
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

  /**
   * Checks the response of a passkey of the account, which was asked for in this session. The password is asked for next, unless
   * it was proven lately.
   *
   * @param form The form. One without a response is a wrong response.
   * @returns A redirect to the page that asks for the password, or to the one of the action.
   * @throws {TurnedAwayException} If the response was not right.
   */
  async indexPost(form: Submitted<PostedPasskey>): Promise<Response> {
    const { response = '', return_url: returnTo } = form.ok ? form.value : {}
    const action = await this.#suspended.read(returnTo)
    const outcome = await this.#prove(response)
    const query = action === undefined ? {} : { return_url: action.path }
    const path = this.context.url('security:confirm', query)
    if (outcome !== 'confirmed') throw new TurnedAwayException(REFUSED, path)
    await this.#sayWhatIsMissing(action?.name)
    return this.redirect(path)
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
      if (!isUsedUp) return 'refused'
      await this.#proofs.tellUsed(proof)
      return 'confirmed'
    }
    await this.#audit.record({ kind: AuditEvent.PasskeyRefused, accountId: account.id, ...client })
    return 'refused'
  }
}

const REFUSED: TurnedAway = {
  status: 422,
  code: 'ERR_STARTER_PASSKEY_REFUSED',
  detail: 'This passkey confirms nothing here',
  text: 'step-up.passkey-refused',
}

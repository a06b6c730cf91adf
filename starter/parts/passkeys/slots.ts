import { type HttpContext, inject } from 'sallyport'
import { discardChallenge } from 'sallyport-app/webauthn'
import type { AccountRights } from '../../core/account-rights.ts'
import { toMoment } from '../../core/pages/presentation.ts'
import type { Completion, SignInStep } from '../../core/sign-in-step.ts'
import type { SlotData, Slots } from '../../core/slots.ts'
import { Passkeys } from './passkeys.ts'
import { PasskeyProofs } from './proofs.ts'

/** Passkeys on the pages of others. */
export class PasskeySlots implements SlotData, SignInStep {
  readonly #passkeys = inject(Passkeys)
  readonly #proofs = inject(PasskeyProofs)

  complete(context: HttpContext): Completion {
    // What was asked for on the way to a login is not answered any more.
    const after = async (): Promise<void> => {
      for (const purpose of ['sign-in', 'second-door']) await discardChallenge(context.session(), purpose)
    }
    return { after }
  }

  /**
   * @returns `passkey`: what the browser asks an authenticator, as JSON; undefined where passkeys are not offered. For the security
   *   page the list `passkeys`.
   */
  async dataFor(
    slot: keyof Slots,
    context: HttpContext,
    owner: AccountRights | undefined,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const session = context.session()
    if (slot === 'factors' && owner !== undefined) {
      const list = await this.#passkeys.list(owner.principal.id)
      const passkeys = list.map(({ id, label, resident, createdAt, usedAt }) => ({
        id,
        label,
        kind: `passkeys.resident.${resident}`,
        added: toMoment(createdAt, context.locale()),
        used: toMoment(usedAt, context.locale()),
      }))
      return { passkeys }
    }
    const id = owner?.principal.id
    const passkey =
      id === undefined
        ? await this.#proofs.signInOptions(session)
        : await this.#proofs.ownOptions(session, id, { purpose: 'step-up', to: id })
    return passkey === undefined ? undefined : { passkey }
  }
}

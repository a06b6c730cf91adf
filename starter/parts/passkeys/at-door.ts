import { type HttpContext, inject } from 'sallyport'
import type { AtDoor } from '../../core/factors/factor-kinds.ts'
import { PasskeyProofs } from './proofs.ts'

/** A passkey at the second door. */
export class PasskeyAtDoor implements AtDoor {
  readonly #proofs = inject(PasskeyProofs)

  /** @returns What the browser asks the authenticator, as JSON; undefined where passkeys are not offered. */
  async pageData(
    context: HttpContext,
    accountId: string,
    challengeId: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    const binding = { purpose: 'second-door', to: challengeId } as const
    return { passkey: await this.#proofs.ownOptions(context.session(), accountId, binding) }
  }
}

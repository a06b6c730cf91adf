import { Clock, type HttpContext, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { AccountRights } from '../../core/account-rights.ts'
import type { SigningIn, SignInStep, StandIn } from '../../core/sign-in-step.ts'
import type { SlotData, Slots } from '../../core/slots.ts'
import { Challenges } from '../../core/challenges/challenges.ts'
import { keptCredentialVersion } from '../../core/sessions/session-credentials.ts'
import { toMoment } from '../../core/pages/presentation.ts'
import { discardLoginChallenges } from './challenges.ts'
import { takeForgotten } from './forgotten.ts'
import { Passkeys } from './passkeys.ts'
import { discardPendingPasskey, takePendingPasskey } from './pending-passkey.ts'
import { PasskeyProofs } from './proofs.ts'

/** Passkeys at sign-in, and on the pages of others. */
export class PasskeySignIn implements SignInStep, SlotData {
  readonly #passkeys = inject(Passkeys)
  readonly #proofs = inject(PasskeyProofs)
  readonly #challenges = inject(Challenges)
  readonly #clock = inject(Clock)

  /**
   * A passkey that did not verify its user is, with the password, both factors: in one session, within the last minutes.
   *
   * @returns The passkey that was proven before the password.
   */
  async standIn(context: HttpContext, { identifier, identity }: SigningIn): Promise<StandIn | undefined> {
    const session = context.session()
    const pending = await takePendingPasskey(session, this.#clock)
    if (pending?.identifier !== identifier) return undefined
    if ((await keptCredentialVersion(session)) !== identity.credentialVersion) return undefined
    const { challengeId, provenAt } = pending
    return {
      proven: { factor: provenAt, kind: 'passkey' },
      useUp: (database) => this.#challenges.end(challengeId, database),
    }
  }

  async leave(session: Session): Promise<void> {
    await discardPendingPasskey(session)
    await discardLoginChallenges(session)
  }

  /**
   * @returns `passkey`: what the browser asks an authenticator, as JSON; undefined where passkeys are not offered. For the list
   *   `passkeys`, and what the browser is told to forget.
   */
  async dataFor(
    slot: keyof Slots,
    context: HttpContext,
    owner: AccountRights | undefined,
  ): Promise<Readonly<Record<string, unknown>> | undefined> {
    const session = context.session()
    if (slot === 'security' && owner !== undefined) {
      const list = await this.#passkeys.list(owner.principal.id)
      const passkeys = list.map(({ id, label, resident, createdAt, usedAt }) => ({
        id,
        label,
        kind: `passkeys.resident.${resident}`,
        added: toMoment(createdAt, context.locale()),
        used: toMoment(usedAt, context.locale()),
      }))
      return { passkeys, forgotten: await takeForgotten(context) }
    }
    const passkey =
      owner === undefined
        ? await this.#proofs.signInOptions(session)
        : await this.#proofs.ownOptions(session, owner.principal.id, {
            purpose: 'step-up',
            to: owner.principal.id,
          })
    return passkey === undefined ? undefined : { passkey }
  }
}

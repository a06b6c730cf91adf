import { type HttpContext, inject } from 'sallyport'
import { discardChallenge } from 'sallyport-app/webauthn'
import type { AccountRights } from '../../core/account-rights.ts'
import type { AtDoor } from '../../core/factors/factor-kinds.ts'
import { TIMES } from '../../core/messages/language.ts'
import type { Completion, SignInStep } from '../../core/sign-in-step.ts'
import type { SlotData, Slots } from '../../core/slots.ts'
import { Passkeys, type StoredPasskey } from './passkeys.ts'
import { PasskeyProofs } from './proofs.ts'
import { SiteWebAuthn } from './web-authn.ts'

/** Passkeys on the pages of others. */
export class PasskeySlots implements AtDoor, SlotData, SignInStep {
  readonly #passkeys = inject(Passkeys)
  readonly #proofs = inject(PasskeyProofs)
  readonly #webAuthn = inject(SiteWebAuthn)

  /** @returns What the browser asks the authenticator at the second door, as JSON; undefined where passkeys are not offered. */
  async pageData(
    context: HttpContext,
    accountId: string,
    challengeId: string,
  ): Promise<{ readonly passkey: string | undefined }> {
    const binding = { purpose: 'second-door', to: challengeId }
    return { passkey: await this.#proofs.ownOptions(context.session(), accountId, binding) }
  }

  complete(context: HttpContext): Completion {
    // What was asked for on the way to a login is not answered any more.
    const after = async (): Promise<void> => {
      for (const purpose of ['sign-in', 'second-door']) await discardChallenge(context.session(), purpose)
    }
    return { after }
  }

  /**
   * @returns `passkey`: what the browser asks an authenticator, as JSON; undefined where passkeys are not offered. For the security
   *   page the list `passkeys`, and `known`: what the browser may forget others by; undefined where other installations may share the host.
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
        added: TIMES.moment(createdAt, context.locale()),
        used: TIMES.moment(usedAt, context.locale()),
      }))
      return { passkeys, known: this.#known(context, owner.principal.id, list) }
    }
    const id = owner?.principal.id
    const passkey =
      id === undefined
        ? await this.#proofs.signInOptions(session)
        : await this.#proofs.ownOptions(session, id, { purpose: 'step-up', to: id })
    return passkey === undefined ? undefined : { passkey }
  }

  // Passkeys belong to the name of the host: where others may be on it, such as a copy with the same accounts, theirs must stay.
  #known(context: HttpContext, account: string, list: readonly StoredPasskey[]): string | undefined {
    const site = this.#webAuthn.relyingParty()
    const isAlone = site?.origin === context.origin() && new URL(site.origin).port === ''
    if (site === undefined || !isAlone || context.basePath !== '') return undefined
    return JSON.stringify({ rpId: site.id, account, credentialIds: list.map((one) => one.credentialId) })
  }
}

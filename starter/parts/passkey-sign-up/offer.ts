import { inject } from 'sallyport'
import type { SlotData } from '../../core/slots.ts'
import { SiteWebAuthn } from '../passkeys/web-authn.ts'

/** The link on the page behind the link of a sign-up. */
export class PasskeyOffer implements SlotData {
  readonly #webAuthn = inject(SiteWebAuthn)

  /** @returns Undefined where passkeys are not offered. */
  dataFor(): Promise<Readonly<Record<string, unknown>> | undefined> {
    return Promise.resolve(this.#webAuthn.relyingParty() !== undefined ? {} : undefined)
  }
}

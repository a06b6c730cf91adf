import { inject } from 'sallyport'
import type { SlotData } from '../../core/slots.ts'
import { PasskeyCeremonies } from '../passkeys/ceremonies.ts'

/** The link on the page behind the link of a sign-up. */
export class PasskeyOffer implements SlotData {
  readonly #ceremonies = inject(PasskeyCeremonies)

  /** @returns Undefined where passkeys are not offered. */
  dataFor(): Promise<Readonly<Record<string, unknown>> | undefined> {
    return Promise.resolve(this.#ceremonies.areOffered() ? {} : undefined)
  }
}

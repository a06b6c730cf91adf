import { inject } from 'sallyport'
import { Mailer } from 'sallyport-app/mail'
import { Settings } from '../../core/settings.ts'
import type { SlotData } from '../../core/slots.ts'

/** The link on the sign-in page, where it is switched on. */
export class SignInLinkOffer implements SlotData {
  readonly #isOn = inject(Settings).signInLink === true && inject(Mailer).sends

  async dataFor(): Promise<Readonly<Record<string, unknown>> | undefined> {
    return this.#isOn ? {} : undefined
  }
}

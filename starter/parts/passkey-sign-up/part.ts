import type { Part } from '../../core/part.ts'
import { passkeys } from '../passkeys/part.ts'
import { passkeySignUp as module } from './module.ts'
import { PasskeyOffer } from './offer.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

/** An account that begins with a passkey in place of a password. */
export const passkeySignUp: Part = {
  name: 'passkey-sign-up',
  needs: [passkeys],
  modules: (_settings, mailer) => (mailer.sends ? [module] : []),
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  slots: { signUp: ['passkey-sign-up::offer'] },
  slotData: PasskeyOffer,
}

import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'passkey-sign-up.offer': 'Passkey statt Passwort erstellen',
  'passkey-sign-up.title': 'Passkey erstellen',
  'passkey-sign-up.lead':
    'Ihr Gerät fragt nach seiner PIN, Ihrem Fingerabdruck oder Ihrem Gesicht. Danach melden Sie sich mit dem Passkey an, ohne Passwort.',
  'passkey-sign-up.password': 'Stattdessen ein Passwort wählen',
}

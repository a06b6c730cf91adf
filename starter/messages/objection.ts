import type { Texts } from './language.ts'

const en = {
  'not-me.title': 'This was not you?',
  'not-me.lead':
    'Then end every session of your account now, on every device, and choose a new password afterwards. Your second step stays as it is.',
  'not-me.submit': 'End all sessions',
  'not-me.nothing': 'If it was you after all, close this page. Nothing has changed.',
  'not-me.done':
    'All sessions of your account have ended. Someone may still know your password: choose a new one now.',
  'not-me.done.reset': 'Choose a new password',
  'not-me.outdated.title': 'This link is out of date',
  'not-me.outdated.text': 'It has expired, or it was used before.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'not-me.title': 'Das waren Sie nicht?',
  'not-me.lead':
    'Dann beenden Sie jetzt alle Sitzungen Ihres Kontos, auf allen Geräten, und wählen Sie danach ein neues Passwort. Ihr zweiter Schritt bleibt, wie er ist.',
  'not-me.submit': 'Alle Sitzungen beenden',
  'not-me.nothing': 'Wenn Sie es doch waren, schließen Sie diese Seite. Es hat sich nichts geändert.',
  'not-me.done':
    'Alle Sitzungen Ihres Kontos sind beendet. Vielleicht kennt noch jemand Ihr Passwort: Wählen Sie jetzt ein neues.',
  'not-me.done.reset': 'Neues Passwort wählen',
  'not-me.outdated.title': 'Dieser Link gilt nicht mehr',
  'not-me.outdated.text': 'Er ist abgelaufen oder wurde schon benutzt.',
}

/** The link "this was not me" of a mail. */
export const objection: Texts<keyof typeof en> = { en, de }

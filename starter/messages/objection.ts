import type { Texts } from './language.ts'

const en = {
  'not-me.title': 'This was not you?',
  'not-me.lead':
    'Then end every session of your account now, on every device, and choose a new password afterwards. Your second step stays as it is.',
  'not-me.submit': 'End all sessions',
  'not-me.nothing': 'If it was you after all, close this page. Nothing has changed.',
  'not-me.done.title': 'All sessions were ended',
  'not-me.done.text':
    'Everyone who was signed in to your account was signed out. Someone may still know your password: choose a new one now.',
  'not-me.done.reset': 'Choose a new password',
  'not-me.done.factor':
    'Look at the second steps and the activity of your account when you are signed in again.',
  'not-me.outdated.title': 'This link is out of date',
  'not-me.outdated.text': 'It has expired, or it was used before.',
  'not-me.outdated.look':
    'Sign in to see and end the sessions of your account, or choose a new password, which ends them, too.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'not-me.title': 'Das waren Sie nicht?',
  'not-me.lead':
    'Dann beenden Sie jetzt alle Sitzungen Ihres Kontos, auf allen Geräten, und wählen Sie danach ein neues Passwort. Ihr zweiter Schritt bleibt, wie er ist.',
  'not-me.submit': 'Alle Sitzungen beenden',
  'not-me.nothing': 'Wenn Sie es doch waren, schließen Sie diese Seite. Es hat sich nichts geändert.',
  'not-me.done.title': 'Alle Sitzungen wurden beendet',
  'not-me.done.text':
    'Wer bei Ihrem Konto angemeldet war, wurde abgemeldet. Vielleicht kennt jemand noch Ihr Passwort: Wählen Sie jetzt ein neues.',
  'not-me.done.reset': 'Neues Passwort wählen',
  'not-me.done.factor':
    'Sehen Sie sich die zweiten Schritte und die Aktivitäten Ihres Kontos an, wenn Sie wieder angemeldet sind.',
  'not-me.outdated.title': 'Dieser Link gilt nicht mehr',
  'not-me.outdated.text': 'Er ist abgelaufen oder wurde schon benutzt.',
  'not-me.outdated.look':
    'Melden Sie sich an, um die Sitzungen Ihres Kontos zu sehen und zu beenden, oder wählen Sie ein neues Passwort, das sie ebenfalls beendet.',
}

/** The link "this was not me" of a mail. */
export const objection: Texts<keyof typeof en> = { en, de }

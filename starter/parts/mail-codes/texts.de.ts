import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'factor.mail': 'Code per E-Mail',
  'mail-code.title': 'Code per E-Mail',
  'mail-code.weaker':
    'Codes per E-Mail sind weniger sicher als Ihre anderen zweiten Schritte. Geschützte Aktionen verlangen einen anderen.',
  'mail-code.send': 'Code senden',
  'mail-code.again': 'Neuen Code senden',
  'mail-code.code': 'Achtstelliger Code',
  'mail-code.hint': 'Gilt einmal, fünf Minuten lang, nur für diese Anmeldung.',
  'mail-code.too-many': 'Es wurden zu viele Codes gesendet.',
  'notice.sign-in-code.subject': 'Ihr Code zum Anmelden',
  'notice.sign-in-code.text':
    'Ihr Passwort wurde eingegeben und ein Code zum Anmelden angefordert:\n\n{code}\n\nEr gilt einmal, {minutes} Minuten lang und nur in dem Browser, in dem er angefordert wurde. Geben Sie ihn niemandem, und geben Sie ihn auf keiner anderen Seite ein. Wenn Sie keinen Code angefordert haben, kennt jemand Ihr Passwort.\n\nCodes per E-Mail sind weniger sicher als Ihre anderen zweiten Schritte.',
  'sessions.proven.mail': 'Code per E-Mail',
  'event.mail-code-sent': 'Code per E-Mail gesendet',
  'event.mail-code-used': 'Code per E-Mail benutzt',
  'event.mail-code-refused': 'Falscher Code per E-Mail',
}

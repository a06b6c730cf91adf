import type { Texts } from './language.ts'

const en = {
  'factor.mail': 'Code by e-mail',
  'mail-code.title': 'Code by e-mail',
  'mail-code.weaker':
    'This is weaker than your other second steps: anyone who reads your mails gets the code. Protected actions will ask for another second step.',
  'mail-code.send': 'Send a code',
  'mail-code.again': 'Send another code',
  'mail-code.code': 'Eight-digit code',
  'mail-code.hint': 'It works once, for five minutes, and only for this sign-in. The next code replaces it.',
  'mail-code.too-many': 'Too many codes were sent.',
  'notice.sign-in-code.subject': 'Your code for signing in',
  'notice.sign-in-code.text':
    'your password was entered, and a code was asked for to sign in:\n\n{code}\n\nIt works once, for {minutes} minutes, and only in the browser that asked for it. Do not give it to anyone, and do not type it into any other site. This is weaker than your other second steps: anyone who reads your mails gets the code.',
  'notice.object-code':
    'If it was not you, someone knows your password. Open this link to sign out every session of your account and to choose a new password:',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'factor.mail': 'Code per E-Mail',
  'mail-code.title': 'Code per E-Mail',
  'mail-code.weaker':
    'Das ist schwächer als Ihre anderen zweiten Schritte: Wer Ihre Mails liest, bekommt den Code. Geschützte Aktionen verlangen einen anderen zweiten Schritt.',
  'mail-code.send': 'Code senden',
  'mail-code.again': 'Neuen Code senden',
  'mail-code.code': 'Achtstelliger Code',
  'mail-code.hint':
    'Er gilt einmal, fünf Minuten lang und nur für diese Anmeldung. Der nächste Code ersetzt ihn.',
  'mail-code.too-many': 'Es wurden zu viele Codes gesendet.',
  'notice.sign-in-code.subject': 'Ihr Code zum Anmelden',
  'notice.sign-in-code.text':
    'Ihr Passwort wurde eingegeben und ein Code zum Anmelden angefordert:\n\n{code}\n\nEr gilt einmal, {minutes} Minuten lang und nur in dem Browser, in dem er angefordert wurde. Geben Sie ihn niemandem, und geben Sie ihn auf keiner anderen Seite ein. Das ist schwächer als Ihre anderen zweiten Schritte: Wer Ihre Mails liest, bekommt den Code.',
  'notice.object-code':
    'Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Öffnen Sie diesen Link. Dort melden Sie alle Sitzungen Ihres Kontos ab und wählen ein neues Passwort:',
}

/** Codes by mail: the page and the mail. */
export const mailCode: Texts<keyof typeof en> = { en, de }

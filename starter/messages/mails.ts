import type { Texts } from './language.ts'

const en = {
  'mail.confirm.subject': 'Confirm your address',
  'mail.confirm.text':
    'Hello,\n\nsomeone wants to create an account with this address. If it was you, open this link and choose your password:\n\n{url}\n\nThe link works once, for one hour. If it was not you, do nothing: without the link no account is created.',
  'mail.known.subject': 'You have an account already',
  'mail.known.text':
    'Hello,\n\nsomeone wants to create an account with this address. It has one already: sign in instead:\n\n{url}\n\nIf it was not you, do nothing. Nothing has changed.',
  'mail.factor-added.subject': 'Your account has a second door now',
  'mail.factor-added.text':
    'Hello,\n\nan authenticator app was set up for your account. Signing in now needs a code of it. All other sessions were signed out.\n\nIf it was not you, answer to this mail at once.',
  'mail.recovery-codes-renewed.subject': 'New recovery codes were made',
  'mail.recovery-codes-renewed.text':
    'Hello,\n\nnew recovery codes were made for your account. The earlier ones work no more, and all other sessions were signed out.\n\nIf it was not you, answer to this mail at once.',
  'mail.recovery-code-used.subject': 'A recovery code was used',
  'mail.recovery-code-used.text':
    'Hello,\n\nsomeone signed in to your account with your password and a recovery code. {left, plural, =0 {No code is left.} one {One code is left.} other {# codes are left.}}\n\nIf it was not you, answer to this mail at once.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'mail.confirm.subject': 'Bestätigen Sie Ihre Adresse',
  'mail.confirm.text':
    'Guten Tag,\n\njemand möchte mit dieser Adresse ein Konto anlegen. Wenn Sie das waren, öffnen Sie diesen Link und wählen Sie Ihr Passwort:\n\n{url}\n\nDer Link gilt einmal, eine Stunde lang. Wenn Sie das nicht waren, tun Sie nichts: Ohne den Link entsteht kein Konto.',
  'mail.known.subject': 'Sie haben bereits ein Konto',
  'mail.known.text':
    'Guten Tag,\n\njemand möchte mit dieser Adresse ein Konto anlegen. Sie hat schon eines. Melden Sie sich stattdessen an:\n\n{url}\n\nWenn Sie das nicht waren, tun Sie nichts. Es hat sich nichts geändert.',
  'mail.factor-added.subject': 'Ihr Konto hat jetzt eine zweite Tür',
  'mail.factor-added.text':
    'Guten Tag,\n\nfür Ihr Konto wurde eine Authenticator-App eingerichtet. Die Anmeldung braucht nun einen Code daraus. Alle anderen Sitzungen wurden abgemeldet.\n\nWenn Sie das nicht waren, antworten Sie sofort auf diese Mail.',
  'mail.recovery-codes-renewed.subject': 'Neue Wiederherstellungscodes wurden erzeugt',
  'mail.recovery-codes-renewed.text':
    'Guten Tag,\n\nfür Ihr Konto wurden neue Wiederherstellungscodes erzeugt. Die früheren gelten nicht mehr, und alle anderen Sitzungen wurden abgemeldet.\n\nWenn Sie das nicht waren, antworten Sie sofort auf diese Mail.',
  'mail.recovery-code-used.subject': 'Ein Wiederherstellungscode wurde benutzt',
  'mail.recovery-code-used.text':
    'Guten Tag,\n\njemand hat sich mit Ihrem Passwort und einem Wiederherstellungscode bei Ihrem Konto angemeldet. {left, plural, =0 {Es ist kein Code mehr übrig.} one {Ein Code ist noch übrig.} other {# Codes sind noch übrig.}}\n\nWenn Sie das nicht waren, antworten Sie sofort auf diese Mail.',
}

/** The mails: subject and text of each kind. */
export const mails: Texts<keyof typeof en> = { en, de }

import type { Texts } from './language.ts'

const en = {
  'mail.confirm.subject': 'Confirm your address',
  'mail.confirm.text':
    'Hello,\n\nSomeone wants to create an account with this address. If it was you, open this link and choose your password:\n\n{url}\n\nThe link works once, for one hour. If it was not you, do nothing: without the link no account is created.',
  'mail.known.subject': 'You have an account already',
  'mail.known.text':
    'Hello,\n\nSomeone wants to create an account with this address. It has one already: sign in instead:\n\n{url}\n\nIf it was not you, do nothing. Nothing has changed.',
  'mail.known-disabled.subject': 'Your account is disabled',
  'mail.known-disabled.text':
    'Hello,\n\nSomeone wants to create an account with this address. It has one already, which an administrator disabled. Nobody can sign in to it.\n\nIf it was you, ask the administrator of the site. If it was not you, do nothing. Nothing has changed.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'mail.confirm.subject': 'Bestätigen Sie Ihre Adresse',
  'mail.confirm.text':
    'Guten Tag,\n\njemand möchte mit dieser Adresse ein Konto anlegen. Wenn Sie das waren, öffnen Sie diesen Link und wählen Sie Ihr Passwort:\n\n{url}\n\nDer Link gilt einmal, eine Stunde lang. Wenn Sie das nicht waren, tun Sie nichts: Ohne den Link entsteht kein Konto.',
  'mail.known.subject': 'Sie haben bereits ein Konto',
  'mail.known.text':
    'Guten Tag,\n\njemand möchte mit dieser Adresse ein Konto anlegen. Es gibt schon eines. Melden Sie sich stattdessen an:\n\n{url}\n\nWenn Sie das nicht waren, tun Sie nichts. Es hat sich nichts geändert.',
  'mail.known-disabled.subject': 'Ihr Konto ist gesperrt',
  'mail.known-disabled.text':
    'Guten Tag,\n\njemand möchte mit dieser Adresse ein Konto anlegen. Es gibt schon eines, das die Verwaltung gesperrt hat. Niemand kann sich damit anmelden.\n\nWenn Sie das waren, fragen Sie die Verwaltung der Seite. Wenn Sie das nicht waren, tun Sie nichts. Es hat sich nichts geändert.',
}

/** The mails to addresses that may have no account: subject and text of each kind. */
export const mails: Texts<keyof typeof en> = { en, de }

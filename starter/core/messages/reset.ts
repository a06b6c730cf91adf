import type { Texts } from './language.ts'

const en = {
  'reset.title': 'Forgot your password?',
  'reset.lead': 'We send you a link. Open it to choose a new password. Your second step stays as it is.',
  'reset.signed-in':
    'You are signed in. A new password signs you out everywhere, here too, and you sign in with the new one.',
  'reset.submit': 'Send the link',
  'reset.back': 'Back to sign-in',
  'reset.link': 'Forgot your password?',
  'reset.locked': 'Too many links were asked for.',
  'reset.sent.title': 'Check your email',
  'reset.sent.text':
    'If you asked for a link and an account has that address, an email with the link is on its way. It works once, for 30 minutes.',
  'reset.new.title': 'Choose a new password',
  'reset.new.who': 'You are choosing a new password for',
  'reset.new.ends':
    'All sessions of the account end, and you sign in with the new password, and with your second step if you have one.',
  'reset.new.submit': 'Set the password',
  'reset.outdated.text': 'It has expired, it was used before, or the account has changed since.',
  'reset.done': 'Your password has been changed. Sign in with the new one.',
  'mail.reset.subject': 'Choose a new password',
  'mail.reset.text':
    'Hello,\n\nSomeone asked for a new password for the account with this address. If it was you, open this link and choose one:\n\n{url}\n\nThe link works once, for 30 minutes. If it was not you, do nothing: your password stays as it is.',
  'mail.reset-disabled.subject': 'Your account is disabled',
  'mail.reset-disabled.text':
    'Hello,\n\nSomeone asked for a new password for the account with this address. An administrator disabled this account, so it gets no new password, and nobody can sign in to it.\n\nIf it was you, ask the administrator of the site. If it was not you, do nothing. Nothing has changed.',
  'mail.reset-unknown.subject': 'There is no account with this address',
  'mail.reset-unknown.text':
    'Hello,\n\nSomeone asked for a new password for an account with this address. There is none. If it was you, try the other addresses that you use:\n\n{url}\n\nIf it was not you, do nothing. Nothing has changed.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'reset.title': 'Passwort vergessen?',
  'reset.lead':
    'Wir senden Ihnen einen Link, über den Sie ein neues Passwort wählen. Ihr zweiter Schritt bleibt, wie er ist.',
  'reset.signed-in':
    'Sie sind angemeldet. Ein neues Passwort meldet Sie überall ab, auch hier, und Sie melden sich mit dem neuen an.',
  'reset.submit': 'Link senden',
  'reset.back': 'Zurück zur Anmeldung',
  'reset.link': 'Passwort vergessen?',
  'reset.locked': 'Es wurden zu viele Links angefordert.',
  'reset.sent.title': 'Sehen Sie in Ihrem Postfach nach',
  'reset.sent.text':
    'Wenn Sie einen Link angefordert haben und ein Konto diese Adresse hat, ist eine Mail damit unterwegs. Er gilt einmal, 30 Minuten lang.',
  'reset.new.title': 'Neues Passwort wählen',
  'reset.new.who': 'Sie wählen ein neues Passwort für',
  'reset.new.ends':
    'Alle Sitzungen des Kontos enden. Danach melden Sie sich mit dem neuen Passwort an, und mit Ihrem zweiten Schritt, wenn Sie einen haben.',
  'reset.new.submit': 'Passwort setzen',
  'reset.outdated.text':
    'Er ist abgelaufen, wurde schon benutzt, oder das Konto hat sich inzwischen geändert.',
  'reset.done': 'Ihr Passwort wurde geändert. Melden Sie sich mit dem neuen an.',
  'mail.reset.subject': 'Wählen Sie ein neues Passwort',
  'mail.reset.text':
    'Guten Tag,\n\njemand hat für das Konto mit dieser Adresse ein neues Passwort angefordert. Wenn Sie das waren, öffnen Sie diesen Link und wählen Sie eines:\n\n{url}\n\nDer Link gilt einmal, 30 Minuten lang. Wenn Sie das nicht waren, tun Sie nichts: Ihr Passwort bleibt, wie es ist.',
  'mail.reset-disabled.subject': 'Ihr Konto ist gesperrt',
  'mail.reset-disabled.text':
    'Guten Tag,\n\njemand hat für das Konto mit dieser Adresse ein neues Passwort angefordert. Die Verwaltung hat dieses Konto gesperrt. Deshalb bekommt es kein neues Passwort, und niemand kann sich damit anmelden.\n\nWenn Sie das waren, fragen Sie die Verwaltung der Seite. Wenn Sie das nicht waren, tun Sie nichts. Es hat sich nichts geändert.',
  'mail.reset-unknown.subject': 'Mit dieser Adresse gibt es kein Konto',
  'mail.reset-unknown.text':
    'Guten Tag,\n\njemand hat für ein Konto mit dieser Adresse ein neues Passwort angefordert. Es gibt keines. Wenn Sie das waren, versuchen Sie es mit Ihren anderen Adressen:\n\n{url}\n\nWenn Sie das nicht waren, tun Sie nichts. Es hat sich nichts geändert.',
}

/** The forgotten password: pages and mails. */
export const reset: Texts<keyof typeof en> = { en, de }

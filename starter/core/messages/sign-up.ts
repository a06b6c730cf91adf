import type { Texts } from './language.ts'

const en = {
  'sign-up.title': 'Create an account',
  'sign-up.lead': 'We send you a link. Open it to choose your password and set up your second step.',
  'sign-up.submit': 'Send the link',
  'sign-up.have-account': 'Already have an account?',
  'sign-up.no-account': 'New here?',
  'sign-up.link': 'Create an account',
  'sign-up.locked': 'Too many links were asked for.',
  'sign-up.sent.title': 'Check your email',
  'sign-up.sent.text':
    'If you asked for a link and the address can be used, an email with the link is on its way. It works once, for one hour.',
  'sign-up.sent.missing': 'No email? Check your spam folder, or',
  'sign-up.sent.again': 'ask for another link',
  'confirm.title': 'Choose your password',
  'confirm.who': 'You are creating an account for',
  'confirm.name': 'Your name',
  'confirm.password': 'Password',
  'confirm.password.hint':
    'At least 8 characters, better 15 or more: a sentence is easy to remember. Any characters will do.',
  'confirm.submit': 'Create the account',
  'confirm.locked': 'This link was used too often.',
  'confirm.outdated.title': 'This link is out of date',
  'confirm.outdated.text': 'It has expired, or it was used before.',
  'confirm.outdated.again': 'Ask for another link',
  'mailbox.title': 'Mailbox',
  'mailbox.lead': 'Emails caught in development. Nothing was sent.',
  'mailbox.empty': 'No emails yet.',
  'mailbox.to': 'To {address}',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'sign-up.title': 'Konto anlegen',
  'sign-up.lead':
    'Wir senden Ihnen einen Link, über den Sie Ihr Passwort wählen und den zweiten Schritt einrichten.',
  'sign-up.submit': 'Link senden',
  'sign-up.have-account': 'Haben Sie schon ein Konto?',
  'sign-up.no-account': 'Neu hier?',
  'sign-up.link': 'Konto anlegen',
  'sign-up.locked': 'Es wurden zu viele Links angefordert.',
  'sign-up.sent.title': 'Sehen Sie in Ihrem Postfach nach',
  'sign-up.sent.text':
    'Wenn Sie einen Link angefordert haben und die Adresse verwendet werden kann, ist eine Mail damit unterwegs. Er gilt einmal, eine Stunde lang.',
  'sign-up.sent.missing': 'Keine Mail? Sehen Sie im Spam-Ordner nach, oder',
  'sign-up.sent.again': 'fordern Sie einen neuen Link an',
  'confirm.title': 'Passwort wählen',
  'confirm.who': 'Sie legen ein Konto an für',
  'confirm.name': 'Ihr Name',
  'confirm.password': 'Passwort',
  'confirm.password.hint':
    'Mindestens 8 Zeichen, besser 15 oder mehr: Ein Satz lässt sich leicht merken. Alle Zeichen sind erlaubt.',
  'confirm.submit': 'Konto anlegen',
  'confirm.locked': 'Dieser Link wurde zu oft benutzt.',
  'confirm.outdated.title': 'Dieser Link gilt nicht mehr',
  'confirm.outdated.text': 'Er ist abgelaufen oder wurde schon benutzt.',
  'confirm.outdated.again': 'Neuen Link anfordern',
  'mailbox.title': 'Postfach',
  'mailbox.lead': 'E-Mails aus der Entwicklung. Nichts wurde versendet.',
  'mailbox.empty': 'Noch keine Mails.',
  'mailbox.to': 'An {address}',
}

/** Signing up, and the mailbox of a development machine. */
export const signUp: Texts<keyof typeof en> = { en, de }

import type { Texts } from './language.ts'

const en = {
  'enrollment.required.lead':
    'Your account must have a second step. Scan the QR code with an authenticator app, then enter the code it shows.',
  'enrollment.cancelled-required':
    'Cancelled. Your account must have a second step: the next sign-in asks for it again.',
  'enrollment.cancelled-replacement': 'Cancelled. Your account still has its earlier second step.',
  'enrollment.mail.title': 'Check your email',
  'enrollment.mail.text':
    'Your password was right. Before a second step is set up, open the link that we sent to this address, in this browser:',
  'enrollment.mail.hint': 'The link works for 15 minutes.',
  'enrollment.mail.again': 'Send another link',
  'enrollment.mail.sent': 'Another link is on its way. The earlier one no longer works.',
  'enrollment.mail.locked': 'Too many links were sent.',
  'enrollment.confirm.title': 'Continue with the second step',
  'enrollment.confirm.who': 'You are setting up the second step of',
  'enrollment.confirm.submit': 'Continue',
  'enrollment.elsewhere.title': 'This link does not work here',
  'enrollment.elsewhere.text':
    'It has expired, or it belongs to another browser. Sign in here with your password, and we send you a new link.',
  'mail.enrollment.subject': 'Set up your second step',
  'mail.enrollment.text':
    'Hello,\n\nYour password was just entered, and a second step is to be set up for your account. If it was you, open this link in the same browser:\n\n{url}\n\nThe link works for 15 minutes. If it was not you, someone knows your password: do not open the link, and change your password.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'enrollment.required.lead':
    'Ihr Konto muss einen zweiten Schritt haben. Scannen Sie den QR-Code mit einer Authenticator-App, und geben Sie den Code ein, den sie anzeigt.',
  'enrollment.cancelled-required':
    'Abgebrochen. Ihr Konto muss einen zweiten Schritt haben: Die nächste Anmeldung fragt wieder danach.',
  'enrollment.cancelled-replacement':
    'Abgebrochen. Ihr Konto hat weiterhin seinen bisherigen zweiten Schritt.',
  'enrollment.mail.title': 'Sehen Sie in Ihrem Postfach nach',
  'enrollment.mail.text':
    'Ihr Passwort war richtig. Bevor ein zweiter Schritt eingerichtet wird, öffnen Sie in diesem Browser den Link, den wir an diese Adresse gesendet haben:',
  'enrollment.mail.hint': 'Der Link gilt 15 Minuten lang.',
  'enrollment.mail.again': 'Neuen Link senden',
  'enrollment.mail.sent': 'Ein neuer Link ist unterwegs. Der frühere gilt nicht mehr.',
  'enrollment.mail.locked': 'Es wurden zu viele Links gesendet.',
  'enrollment.confirm.title': 'Weiter mit dem zweiten Schritt',
  'enrollment.confirm.who': 'Sie richten den zweiten Schritt ein für',
  'enrollment.confirm.submit': 'Weiter',
  'enrollment.elsewhere.title': 'Dieser Link gilt hier nicht',
  'enrollment.elsewhere.text':
    'Er ist abgelaufen oder gehört zu einem anderen Browser. Melden Sie sich hier mit Ihrem Passwort an, dann senden wir Ihnen einen neuen Link.',
  'mail.enrollment.subject': 'Richten Sie Ihren zweiten Schritt ein',
  'mail.enrollment.text':
    'Guten Tag,\n\nIhr Passwort wurde gerade eingegeben, und für Ihr Konto soll ein zweiter Schritt eingerichtet werden. Wenn Sie das waren, öffnen Sie diesen Link im selben Browser:\n\n{url}\n\nDer Link gilt 15 Minuten lang. Wenn Sie das nicht waren, kennt jemand Ihr Passwort: Öffnen Sie den Link nicht, und ändern Sie Ihr Passwort.',
}

/** Accounts that must have a second step and have none. */
export const mustEnroll: Texts<keyof typeof en> = { en, de }

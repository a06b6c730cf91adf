import type { Texts } from './language.ts'

const en = {
  'page.title': '{title}',
  'help.title': 'Help',
  'help.all': 'All topics',
  'help.signing-in.title': 'How signing in works',
  'help.signing-in.1':
    'Signing in has two steps. The first one is your password. A passkey is both steps at once.',
  'help.signing-in.2':
    'The second step is a code of your authenticator app, a passkey, a security key or a recovery code. You have five minutes for it.',
  'help.signing-in.3':
    'Each code works once. After too many wrong ones, codes are not checked for a quarter of an hour. Sessions that are open are not affected.',
  'help.lost-device.title': 'If your phone is gone',
  'help.lost-device.1':
    'Use one of the recovery codes that you kept when you set up the second step. Each works once. Then set up the app on your new phone. If no code and no other second step is left, choose “Lost access to your second step?” there: with your password, a link in a mail and a waiting time of 72 hours or more, you set up a new one.',
  'help.lost-device.2':
    'A new password does not replace the second step: anyone who reads your mail could ask for one, too.',
  'help.lost-device.3':
    'We never ask for a code by mail or telephone. Anyone who does is trying to get into your account.',
  'help.programs.title': 'Tokens for programs',
  'help.programs.1':
    'A program that acts for you uses a token instead of your password. You make it on the page of your account, and it is shown once.',
  'help.programs.2':
    'Give each program a token of its own, with the few permissions that it needs and an end date. Revoke it when the program is gone: it stops working at once.',
  'help.programs.3':
    'After a change of your password or second step, tokens are suspended. Confirm those that you know, and revoke the others.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'page.title': '{title}',
  'help.title': 'Hilfe',
  'help.all': 'Alle Themen',
  'help.signing-in.title': 'So funktioniert die Anmeldung',
  'help.signing-in.1':
    'Die Anmeldung hat zwei Schritte. Der erste ist Ihr Passwort. Ein Passkey ist beides zugleich.',
  'help.signing-in.2':
    'Der zweite ist ein Code Ihrer Authenticator-App, ein Passkey, ein Sicherheitsschlüssel oder ein Wiederherstellungscode. Dafür haben Sie fünf Minuten Zeit.',
  'help.signing-in.3':
    'Jeder Code gilt einmal. Nach zu vielen falschen werden eine Viertelstunde lang keine Codes geprüft. Offene Sitzungen sind davon nicht betroffen.',
  'help.lost-device.title': 'Wenn Sie Ihr Telefon verloren haben',
  'help.lost-device.1':
    'Benutzen Sie einen der Wiederherstellungscodes, die Sie beim Einrichten des zweiten Schritts aufbewahrt haben. Jeder gilt einmal. Richten Sie danach die App auf dem neuen Telefon ein. Wenn kein Code und kein anderer zweiter Schritt übrig ist, wählen Sie beim Anmelden „Kein Zugriff auf den zweiten Schritt?“: Mit Ihrem Passwort, einem Link in einer Mail und einer Wartezeit von mindestens 72 Stunden richten Sie einen neuen ein.',
  'help.lost-device.2':
    'Ein neues Passwort ersetzt den zweiten Schritt nicht: Wer Ihre Mails liest, könnte auch eines anfordern.',
  'help.lost-device.3':
    'Wir fragen nie per Mail oder Telefon nach einem Code. Wer das tut, will in Ihr Konto.',
  'help.programs.title': 'Tokens für Programme',
  'help.programs.1':
    'Ein Programm, das für Sie handelt, benutzt statt Ihres Passworts ein Token. Sie erstellen es auf der Seite Ihres Kontos, und es wird nur einmal angezeigt.',
  'help.programs.2':
    'Geben Sie jedem Programm ein eigenes Token, mit den wenigen Rechten, die es braucht, und mit einem Ablaufdatum. Widerrufen Sie es, wenn Sie das Programm nicht mehr nutzen: Es gilt dann sofort nicht mehr.',
  'help.programs.3':
    'Nach einer Änderung des Passworts oder des zweiten Schritts ruhen alle Tokens. Bestätigen Sie die, die Sie kennen, und widerrufen Sie die anderen.',
}

/** Help, and the title of pages that are written by the owner of the site. */
export const help: Texts<keyof typeof en> = { en, de }

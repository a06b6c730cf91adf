import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'help.title': 'Hilfe',
  'help.all': 'Alle Themen',
  'help.signing-in.title': 'So funktioniert die Anmeldung',
  'help.signing-in.1': 'Die Anmeldung hat zwei Schritte. Der erste ist Ihr Passwort.',
  'help.signing-in.2':
    'Der zweite ist ein Code Ihrer Authenticator-App, ein Wiederherstellungscode oder was Sie sonst eingerichtet haben. Dafür haben Sie fünf Minuten Zeit.',
  'help.signing-in.3':
    'Jeder Code gilt einmal. Nach zu vielen falschen werden eine Viertelstunde lang keine Codes geprüft. Offene Sitzungen sind davon nicht betroffen.',
  'help.lost-device.title': 'Wenn Sie Ihr Telefon verloren haben',
  'help.lost-device.1':
    'Benutzen Sie einen der Wiederherstellungscodes, die Sie beim Einrichten des zweiten Schritts aufbewahrt haben. Jeder gilt einmal. Richten Sie danach die App auf dem neuen Telefon ein. Wenn kein Code und kein anderer zweiter Schritt übrig ist, wählen Sie beim Anmelden „Kein Zugriff auf den zweiten Schritt?“: Mit Ihrem Passwort, einem Link in einer Mail und einer Wartezeit von mindestens 72 Stunden richten Sie einen neuen ein.',
  'help.lost-device.2':
    'Ein neues Passwort ersetzt den zweiten Schritt nicht: Wer Ihre Mails liest, könnte auch eines anfordern.',
  'help.lost-device.3':
    'Wir fragen nie per Mail oder Telefon nach einem Code. Wer das tut, will in Ihr Konto.',
  'help.programs.title': 'API-Tokens',
  'help.programs.1':
    'Ein Programm, das für Sie handelt, benutzt statt Ihres Passworts ein Token. Sie erstellen es auf der Seite Ihres Kontos, und es wird nur einmal angezeigt.',
  'help.programs.2':
    'Geben Sie jedem Programm ein eigenes Token, mit den wenigen Rechten, die es braucht, und mit einem Ablaufdatum. Widerrufen Sie es, wenn Sie das Programm nicht mehr nutzen: Es gilt dann sofort nicht mehr.',
  'help.programs.3':
    'Nach einer Änderung des Passworts oder des zweiten Schritts ruhen alle Tokens. Bestätigen Sie die, die Sie kennen, und widerrufen Sie die anderen.',
}

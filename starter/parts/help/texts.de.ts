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
}

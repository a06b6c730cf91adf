import type { Texts } from './language.ts'

const en = {
  'factor.totp': 'Authenticator app “{label}”',
  'factor.recovery': 'Recovery code',
  'challenge.others': 'Or continue with',
  'challenge.use': 'Use this',
  'challenge.locked-until': 'locked until',
  'enrollment.title': 'Set up your second step',
  'enrollment.lead':
    'Scan the QR code with an authenticator app, then enter the code it shows. You will need one whenever you sign in.',
  'enrollment.copy': 'Copy the key',
  'enrollment.copied': 'The key is copied',
  'enrollment.code': 'First code',
  'enrollment.submit': 'Continue',
  'enrollment.cancel': 'Cancel',
  'enrollment.skip': 'Skip for now',
  'enrollment.cancelled': 'Skipped. Sign in with your password; you can add a second step at any time.',
  'enrollment.expired': 'Setup timed out. Sign in again to continue.',
  'enrollment.too-early': 'Finish this step first.',
  'enrollment.locked': 'Too many wrong codes.',
  'codes.title': 'Save your recovery codes',
  'codes.lead':
    "Save these codes now; we can't show them again. If you lose your phone or key, each code lets you sign in once.",
  'codes.label': 'Recovery codes',
  'codes.copy': 'Copy',
  'codes.copied': 'Copied',
  'codes.download': 'Download',
  'codes.print': 'Print',
  'codes.done': "I've saved them",
  'codes.kept': 'Recovery codes saved.',
  'codes.again.title': 'Did you keep your recovery codes?',
  'codes.again.lead':
    'Your second step is set up. Its recovery codes are shown once. If you did not see or keep them, make new ones: the earlier ones stop working.',
  'codes.again.new': 'Create new codes',
  'recovery.title': 'Enter a recovery code',
  'recovery.lead': 'Each code works once.',
  'recovery.code': 'Recovery code',
  'recovery.used': 'You signed in with a recovery code, which no longer works.',
  'recovery.used-last':
    'You signed in with your last recovery code. Without your phone or key you could not sign in again.',
  'recovery.lost': 'Lost your phone or key?',
  'recovery.lost.text': 'You signed in with a recovery code. Replace the second step that you lost now.',
  'recovery.lost.replace': 'Replace the authenticator “{label}”',
  'recovery.lost.replace-app': 'Replace the authenticator app',
  'recovery.lost.add': 'Add an authenticator app',
  'new-codes.link': 'Create new codes',
  'new-codes.title': 'New recovery codes',
  'new-codes.lead':
    '{left, plural, =0 {You have no recovery code left.} one {You have one recovery code left.} other {You have # recovery codes left.}} New ones replace all of them. You will be signed out on all other devices.',
  'new-codes.cancel': 'Keep the current ones',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'factor.totp': 'Authenticator-App „{label}“',
  'factor.recovery': 'Wiederherstellungscode',
  'challenge.others': 'Oder weiter mit',
  'challenge.use': 'Hiermit weiter',
  'challenge.locked-until': 'gesperrt bis',
  'enrollment.title': 'Zweiten Schritt einrichten',
  'enrollment.lead':
    'Scannen Sie den QR-Code mit einer Authenticator-App, und geben Sie den Code ein, den sie anzeigt. Bei jeder Anmeldung fragen wir danach.',
  'enrollment.copy': 'Schlüssel kopieren',
  'enrollment.copied': 'Der Schlüssel ist kopiert',
  'enrollment.code': 'Erster Code',
  'enrollment.submit': 'Weiter',
  'enrollment.cancel': 'Abbrechen',
  'enrollment.skip': 'Vorerst überspringen',
  'enrollment.cancelled':
    'Übersprungen. Melden Sie sich mit Ihrem Passwort an; einen zweiten Schritt können Sie jederzeit hinzufügen.',
  'enrollment.expired': 'Die Einrichtung ist abgelaufen. Melden Sie sich neu an.',
  'enrollment.too-early': 'Beenden Sie zuerst diesen Schritt.',
  'enrollment.locked': 'Zu viele falsche Codes.',
  'codes.title': 'Speichern Sie Ihre Wiederherstellungs\u00ADcodes',
  'codes.lead':
    'Speichern Sie diese Codes jetzt; sie werden nicht wieder angezeigt. Wenn Sie Telefon oder Schlüssel verlieren, melden Sie sich mit jedem einmal an.',
  'codes.label': 'Wiederherstellungscodes',
  'codes.copy': 'Kopieren',
  'codes.copied': 'Kopiert',
  'codes.download': 'Herunterladen',
  'codes.print': 'Drucken',
  'codes.done': 'Ich habe sie gespeichert',
  'codes.kept': 'Wiederherstellungscodes gespeichert.',
  'codes.again.title': 'Haben Sie Ihre Wiederherstellungs\u00ADcodes?',
  'codes.again.lead':
    'Der zweite Schritt ist eingerichtet. Seine Wiederherstellungscodes werden nur einmal angezeigt. Wenn Sie sie nicht gesehen oder aufbewahrt haben, erzeugen Sie neue: Die früheren gelten dann nicht mehr.',
  'codes.again.new': 'Neue Codes erzeugen',
  'recovery.title': 'Wiederherstellungs\u00ADcode eingeben',
  'recovery.lead': 'Jeder Code gilt einmal.',
  'recovery.code': 'Wiederherstellungscode',
  'recovery.used': 'Sie haben sich mit einem Wiederherstellungscode angemeldet, der nun nicht mehr gilt.',
  'recovery.used-last':
    'Sie haben sich mit Ihrem letzten Wiederherstellungscode angemeldet. Ohne Ihr Telefon oder Ihren Schlüssel könnten Sie sich nicht noch einmal anmelden.',
  'recovery.lost': 'Telefon oder Schlüssel verloren?',
  'recovery.lost.text':
    'Sie haben sich mit einem Wiederherstellungscode angemeldet. Ersetzen Sie den verlorenen zweiten Schritt gleich durch einen neuen.',
  'recovery.lost.replace': 'Authenticator „{label}“ ersetzen',
  'recovery.lost.replace-app': 'Authenticator-App ersetzen',
  'recovery.lost.add': 'Authenticator-App hinzufügen',
  'new-codes.link': 'Neue Codes erzeugen',
  'new-codes.title': 'Neue Wiederherstellungs\u00ADcodes',
  'new-codes.lead':
    '{left, plural, =0 {Sie haben keinen Wiederherstellungscode mehr.} one {Sie haben noch einen Wiederherstellungscode.} other {Sie haben noch # Wiederherstellungscodes.}} Neue ersetzen alle früheren. Auf allen anderen Geräten werden Sie abgemeldet.',
  'new-codes.cancel': 'Die jetzigen behalten',
}

/** The second step: setting one up, and recovery codes. */
export const factors: Texts<keyof typeof en> = { en, de }

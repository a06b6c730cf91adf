import type { Texts } from './language.ts'

const enAuth = {
  invalid_credentials: 'Invalid credentials',
  sign_in_refused: 'This address and password do not match. Check both and try again.',
  invalid_code: 'That code is wrong',
  same_password: 'This is your present password. Choose another one.',
  other_address: 'This is not the address of your account.',
  same_address: 'This is your present address. Type another one.',
  password_not_proven: 'That password is wrong. Type it again.',
  code_not_proven:
    'That code is wrong or was used before. Type the one that your app or code generator shows now.',
  not_proven:
    'The password or the code is wrong. Type both again, with the code that your app or code generator shows now.',
  recovery_code_not_proven: 'That recovery code is wrong or was used before. Take another one of your list.',
  recovery_not_proven:
    'The password or the recovery code is wrong. Type both again, with a code that was not used before.',
  wrong_first_code: 'That code is wrong. Type the one that the app shows now.',
  too_many_tokens: 'You have as many tokens as an account may have. Revoke those that you do not need.',
  no_scope: 'Choose at least one permission.',
  scope_not_held: 'A token cannot do what your account may not do.',
  wrong_code:
    'That code is wrong or was used before. {triesLeft, plural, one {One attempt is left.} other {# attempts are left.}}',
}

const deAuth: Readonly<Record<keyof typeof enAuth, string>> = {
  invalid_credentials: 'Ungültige Zugangsdaten',
  sign_in_refused:
    'Adresse und Passwort passen nicht zusammen. Prüfen Sie beide und versuchen Sie es noch einmal.',
  invalid_code: 'Dieser Code ist falsch',
  not_proven:
    'Das Passwort oder der Code ist falsch. Geben Sie beide neu ein, mit dem Code, den Ihre App oder Ihr Codegenerator jetzt anzeigt.',
  password_not_proven: 'Dieses Passwort ist falsch. Geben Sie es neu ein.',
  code_not_proven:
    'Dieser Code ist falsch oder wurde schon benutzt. Geben Sie den ein, den Ihre App oder Ihr Codegenerator jetzt anzeigt.',
  other_address: 'Das ist nicht die Adresse Ihres Kontos.',
  same_address: 'Das ist Ihre jetzige Adresse. Geben Sie eine andere ein.',
  same_password: 'Das ist Ihr jetziges Passwort. Wählen Sie ein anderes.',
  recovery_code_not_proven:
    'Dieser Wiederherstellungscode ist falsch oder wurde schon benutzt. Benutzen Sie einen anderen von Ihrer Liste.',
  recovery_not_proven:
    'Das Passwort oder der Wiederherstellungscode ist falsch. Geben Sie beide neu ein, mit einem Code, der noch nicht benutzt wurde.',
  wrong_first_code: 'Dieser Code ist falsch. Geben Sie den ein, den die App jetzt anzeigt.',
  too_many_tokens:
    'Sie haben so viele Tokens, wie ein Konto haben darf. Widerrufen Sie die, die Sie nicht brauchen.',
  no_scope: 'Wählen Sie mindestens ein Recht.',
  scope_not_held: 'Ein Token darf nichts, was Ihr Konto nicht darf.',
  wrong_code:
    'Dieser Code ist falsch oder wurde schon benutzt. {triesLeft, plural, one {Sie haben noch einen Versuch.} other {Sie haben noch # Versuche.}}',
}

/** What is wrong with credentials: the domain `auth`. */
export const auth: Texts<keyof typeof enAuth> = { en: enAuth, de: deAuth }

const enValidation = {
  required: 'Fill in this field',
  invalid_email: 'Enter an email address, such as ada@example.com',
  too_short: '{minimum, plural, one {Use at least # character} other {Use at least # characters}}',
  too_long: '{maximum, plural, one {Use at most # character} other {Use at most # characters}}',
  easy_to_guess:
    'This password is easy to guess. Avoid common words, your name, your email address and the name of this site.',
  wrong_length: 'Use another number of characters',
  too_low: 'This number is too low',
  too_high: 'This number is too high',
  not_above: 'This number is too low',
  not_below: 'This number is too high',
  not_a_number: 'Enter a number',
  not_whole: 'Enter a whole number',
  not_multiple: 'Enter another number',
  too_few: 'Choose more',
  too_many: 'Choose fewer',
  wrong_count: 'Choose another number',
  not_an_option: 'Choose one of the options',
  too_early: 'This is too early',
  too_late: 'This is too late',
  invalid_url: 'Enter a web address, such as https://example.com',
  invalid_date: 'Enter a date',
  invalid_time: 'Enter a time',
  invalid_date_time: 'Enter a date and a time',
  file_too_small: 'This file is too small',
  file_too_large: 'This file is too large',
  files_too_large: 'These files are too large together',
  too_many_files: 'Choose fewer files',
  file_required: 'Choose a file',
  wrong_file_type: 'Choose a file of another type',
  wrong_type: 'This field was sent in a way that cannot be read. Fill it in once more',
  unknown_field: 'This form has no such field',
  invalid: 'Check this field',
  invalid_format:
    '{format, select, mailbox {Before the @, use letters without accents, digits and signs such as . _ + -: many email servers accept no others} label {Use letters or digits on one line, without control characters and without characters that turn the direction of text} six_digits {Six digits are needed. This did not count as an attempt.} eight_digits {Eight digits are needed. This did not count as an attempt.} recovery_code {A recovery code has twelve letters and digits, such as ABCD-EFGH-JKMN. This did not count as an attempt.} other {Check this field}}',
}

const deValidation: Readonly<Record<keyof typeof enValidation, string>> = {
  required: 'Füllen Sie dieses Feld aus',
  invalid_email: 'Geben Sie eine E-Mail-Adresse ein, zum Beispiel ada@example.com',
  too_short: '{minimum, plural, one {Mindestens # Zeichen} other {Mindestens # Zeichen}}',
  too_long: '{maximum, plural, one {Höchstens # Zeichen} other {Höchstens # Zeichen}}',
  easy_to_guess:
    'Dieses Passwort ist leicht zu erraten. Vermeiden Sie häufige Wörter, Ihren Namen, Ihre E-Mail-Adresse und den Namen dieser Seite.',
  wrong_length: 'Die Zahl der Zeichen stimmt nicht',
  too_low: 'Diese Zahl ist zu klein',
  too_high: 'Diese Zahl ist zu groß',
  not_above: 'Diese Zahl ist zu klein',
  not_below: 'Diese Zahl ist zu groß',
  not_a_number: 'Geben Sie eine Zahl ein',
  not_whole: 'Geben Sie eine ganze Zahl ein',
  not_multiple: 'Geben Sie eine andere Zahl ein',
  too_few: 'Wählen Sie mehr',
  too_many: 'Wählen Sie weniger',
  wrong_count: 'Wählen Sie eine andere Anzahl',
  not_an_option: 'Wählen Sie eine der Möglichkeiten',
  too_early: 'Das ist zu früh',
  too_late: 'Das ist zu spät',
  invalid_url: 'Geben Sie eine Webadresse ein, zum Beispiel https://example.com',
  invalid_date: 'Geben Sie ein Datum ein',
  invalid_time: 'Geben Sie eine Uhrzeit ein',
  invalid_date_time: 'Geben Sie Datum und Uhrzeit ein',
  file_too_small: 'Diese Datei ist zu klein',
  file_too_large: 'Diese Datei ist zu groß',
  files_too_large: 'Diese Dateien sind zusammen zu groß',
  too_many_files: 'Wählen Sie weniger Dateien',
  file_required: 'Wählen Sie eine Datei',
  wrong_file_type: 'Wählen Sie eine Datei eines anderen Typs',
  wrong_type: 'Dieses Feld war nicht lesbar. Füllen Sie es noch einmal aus',
  unknown_field: 'Dieses Formular hat kein solches Feld',
  invalid: 'Prüfen Sie dieses Feld',
  invalid_format:
    '{format, select, mailbox {Verwenden Sie vor dem @ nur Buchstaben ohne Akzente und Umlaute, Ziffern und Zeichen wie . _ + -: Viele Mailserver nehmen keine anderen an} label {Verwenden Sie Buchstaben oder Ziffern in einer Zeile, ohne Steuerzeichen und ohne Zeichen, die die Schreibrichtung umkehren} six_digits {Es müssen sechs Ziffern sein. Das zählt nicht als Versuch.} eight_digits {Es müssen acht Ziffern sein. Das zählt nicht als Versuch.} recovery_code {Ein Wiederherstellungscode hat zwölf Buchstaben und Ziffern, zum Beispiel ABCD-EFGH-JKMN. Das zählt nicht als Versuch.} other {Prüfen Sie dieses Feld}}',
}

/** What is wrong with a field: the domain `validation`. */
export const validation: Texts<keyof typeof enValidation> = { en: enValidation, de: deValidation }

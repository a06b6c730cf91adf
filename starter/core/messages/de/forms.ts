export const auth = {
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

export const validation = {
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

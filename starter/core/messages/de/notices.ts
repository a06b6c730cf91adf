export const notices = {
  'notice.hello': 'Guten Tag {name},',
  'notice.when': 'Das geschah am {at} UTC.',
  'notice.object-by-hand':
    'Wenn Sie das waren, ist nichts zu tun. Wenn Sie das nicht waren, melden Sie sich an, melden Sie alle Sitzungen Ihres Kontos ab und ändern Sie Ihr Passwort.',
  'notice.new-sign-in.subject': 'Neue Anmeldung bei Ihrem Konto',
  'notice.new-sign-in.text':
    'jemand hat sich bei Ihrem Konto aus einem Netz oder mit einem Gerät angemeldet, das dafür bisher nicht benutzt wurde.\n\nGerät: {device}\nHerkunft: {place}',
  'notice.factor-refused.subject': 'Ihr Passwort war richtig, der zweite Schritt nicht',
  'notice.factor-refused.text':
    'jemand hat Ihr Passwort eingegeben, und danach war der zweite Schritt mehrmals falsch. Niemand wurde angemeldet, aber vielleicht kennt jemand Ihr Passwort.',
  'notice.factor-refused-by-link.subject': 'Ihr Anmeldelink wurde benutzt, der zweite Schritt war falsch',
  'notice.factor-refused-by-link.text':
    'jemand hat einen Anmeldelink aus Ihren E-Mails geöffnet, und danach war der zweite Schritt mehrmals falsch. Niemand wurde angemeldet, aber vielleicht liest jemand Ihre E-Mails.',
  'notice.factor-added.subject': 'Ihrem Konto wurde ein zweiter Schritt hinzugefügt',
  'notice.factor-added.text':
    'Ihrem Konto wurde ein zweiter Schritt hinzugefügt: „{label}“. Alle anderen Sitzungen wurden abgemeldet.',
  'notice.factor-removed.subject': 'Ein zweiter Schritt wurde aus Ihrem Konto entfernt',
  'notice.factor-removed.text':
    'aus Ihrem Konto wurde ein zweiter Schritt entfernt: „{label}“. Alle anderen Sitzungen wurden abgemeldet.',
  'notice.last-factor-removed.subject': 'Ihr Konto fragt nur noch nach dem Passwort',
  'notice.last-factor-removed.text':
    'der letzte zweite Schritt Ihres Kontos wurde entfernt: „{label}“. Von nun an genügt zum Anmelden das Passwort, und die Wiederherstellungscodes sind gelöscht. Alle anderen Sitzungen wurden abgemeldet.',
  'notice.factor-locked.subject': 'Ein zweiter Schritt Ihres Kontos ist gesperrt',
  'notice.factor-locked.text':
    '{minutes, plural, one {für einen zweiten Schritt Ihres Kontos wurden zu viele falsche Codes eingegeben: {factor}. Er wird # Minute lang nicht geprüft. Ihre anderen zweiten Schritte gelten weiter, solange sie nicht selbst gesperrt sind. Wer die Codes eingegeben hat, kennt vielleicht Ihr Passwort.} other {für einen zweiten Schritt Ihres Kontos wurden zu viele falsche Codes eingegeben: {factor}. Er wird # Minuten lang nicht geprüft. Ihre anderen zweiten Schritte gelten weiter, solange sie nicht selbst gesperrt sind. Wer die Codes eingegeben hat, kennt vielleicht Ihr Passwort.}}',
  'notice.recovery-code-used.subject': 'Ein Wiederherstellungscode wurde benutzt',
  'notice.recovery-code-used.text':
    'jemand hat Ihr Passwort und einen Wiederherstellungscode Ihres Kontos eingegeben, um sich anzumelden oder eine Änderung zu bestätigen. {left, plural, =0 {Es ist kein Code mehr übrig.} one {Ein Code ist noch übrig.} other {# Codes sind noch übrig.}}',
  'notice.recovery-codes-renewed.subject': 'Neue Wiederherstellungscodes wurden erzeugt',
  'notice.recovery-codes-renewed.text':
    'für Ihr Konto wurden neue Wiederherstellungscodes erzeugt. Die früheren gelten nicht mehr, und alle anderen Sitzungen wurden abgemeldet.',
  'notice.password-changed.subject': 'Ihr Passwort wurde geändert',
  'notice.password-changed.text':
    'das Passwort Ihres Kontos wurde geändert. Alle anderen Sitzungen wurden abgemeldet.',
  'notice.password-reset.subject': 'Ihr Passwort wurde zurückgesetzt',
  'notice.password-reset.text':
    'das Passwort Ihres Kontos wurde mit einem Link aus einer Mail zurückgesetzt. Alle Sitzungen wurden abgemeldet. Ihr zweiter Schritt bleibt, wie er war.',
  'notice.sessions-ended.subject': 'Sitzungen Ihres Kontos wurden abgemeldet',
  'notice.sessions-ended.text':
    'Sitzungen Ihres Kontos wurden abgemeldet. Melden Sie sich auf diesen Geräten neu an, um dort weiterzuarbeiten.',
  'notice.ask': 'Wenn Sie den Grund nicht kennen, fragen Sie die Verwaltung der Seite.',
}

import type { Texts } from './language.ts'

const en = {
  'notice.hello': 'Hello {name},',
  'notice.when': 'This happened on {at} UTC.',
  'notice.object-by-hand':
    'If this was you, there is nothing to do. If it was not you, sign in, end all sessions of your account and change your password.',
  'notice.new-sign-in.subject': 'New sign-in to your account',
  'notice.new-sign-in.text':
    'Someone signed in to your account from a network, or with a device, that was not used for it before.\n\nDevice: {device}\nFrom: {place}',
  'notice.factor-refused.subject': 'Your password was right, the second step was not',
  'notice.factor-refused.text':
    'Someone entered your password, and then the second step was wrong several times. Nobody was signed in, but someone may know your password.',
  'notice.factor-refused-by-link.subject': 'Your sign-in link was used, the second step was wrong',
  'notice.factor-refused-by-link.text':
    'Someone opened a sign-in link from your email, and then the second step was wrong several times. Nobody was signed in, but someone may be reading your email.',
  'notice.factor-added.subject': 'A second step was added to your account',
  'notice.factor-added.text':
    'A second step was added to your account: “{label}”. All other sessions were signed out.',
  'notice.factor-removed.subject': 'A second step was removed from your account',
  'notice.factor-removed.text':
    'A second step was removed from your account: “{label}”. All other sessions were signed out.',
  'notice.last-factor-removed.subject': 'Your account asks for the password only',
  'notice.last-factor-removed.text':
    'The last second step of your account was removed: “{label}”. From now on the password alone signs in, and the recovery codes are deleted. All other sessions were signed out.',
  'notice.factor-locked.subject': 'A second step of your account is locked',
  'notice.factor-locked.text':
    '{minutes, plural, one {Too many wrong codes were entered for a second step of your account: {factor}. It is not asked for # minute. Your other second steps work, unless they are locked, too. The person who entered the codes may know your password.} other {Too many wrong codes were entered for a second step of your account: {factor}. It is not asked for # minutes. Your other second steps work, unless they are locked, too. The person who entered the codes may know your password.}}',
  'notice.recovery-code-used.subject': 'A recovery code was used',
  'notice.recovery-code-used.text':
    'Someone entered your password and a recovery code of your account, to sign in or to confirm a change. {left, plural, =0 {No code is left.} one {One code is left.} other {# codes are left.}}',
  'notice.recovery-codes-renewed.subject': 'New recovery codes were created',
  'notice.recovery-codes-renewed.text':
    'New recovery codes were created for your account. The earlier ones no longer work, and all other sessions were signed out.',
  'notice.password-changed.subject': 'Your password was changed',
  'notice.password-changed.text':
    'The password of your account was changed. All other sessions were signed out.',
  'notice.password-reset.subject': 'Your password was reset',
  'notice.password-reset.text':
    'The password of your account was reset with a link from an email. All sessions were signed out. Your second step stays as it was.',
  'notice.sessions-ended.subject': 'Sessions of your account were ended',
  'notice.sessions-ended.text':
    'Sessions of your account were ended. To use them again, sign in on those devices.',
  'notice.ask': 'If you do not know why, ask the administrator of the site.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'notice.hello': 'Guten Tag {name},',
  'notice.when': 'Das geschah am {at} UTC.',
  'notice.object-by-hand':
    'Wenn Sie das waren, ist nichts zu tun. Wenn Sie das nicht waren, melden Sie sich an, beenden Sie alle Sitzungen Ihres Kontos und ändern Sie Ihr Passwort.',
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
  'notice.sessions-ended.subject': 'Sitzungen Ihres Kontos wurden beendet',
  'notice.sessions-ended.text':
    'Sitzungen Ihres Kontos wurden beendet. Melden Sie sich auf diesen Geräten neu an, um dort weiterzuarbeiten.',
  'notice.ask': 'Wenn Sie den Grund nicht kennen, fragen Sie die Verwaltung der Seite.',
}

/** The mails that tell the owner of an account what happened to it: subject and text of each kind. */
export const notices: Texts<keyof typeof en> = { en, de }

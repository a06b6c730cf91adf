import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'event.passkey-added': 'Passkey hinzugefügt',
  'event.passkey-used': 'Passkey benutzt',
  'event.passkey-refused': 'Passkey abgelehnt',
  'event.passkey-backwards': 'Zähler eines Passkeys lief rückwärts: Vielleicht ist er eine Kopie',
  'notice.passkey-backwards.subject': 'Ein Passkey Ihres Kontos wurde vielleicht kopiert',
  'notice.passkey-backwards.text':
    'ein Passkey Ihres Kontos wurde benutzt und angenommen: „{label}“. Sein Zähler war nicht höher als beim letzten Mal, was vorkommt, wenn ein zweites Gerät eine Kopie davon hat. Manche Geräte zählen auch falsch. Wenn Ihres das bisher nicht getan hat, entfernen Sie den Passkey auf der Sicherheitsseite Ihres Kontos und fügen Sie einen neuen hinzu.',
  'passkey.sign-in': 'Mit Passkey anmelden',
  'passkey.or': 'oder mit Ihrem Passwort',
  'passkey.sign-in.refused':
    'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
  'passkey.sign-in.unknown':
    'Diese Seite kennt diesen Passkey nicht. Vielleicht wurde er entfernt. Melden Sie sich mit Ihrem Passwort an.',
  'passkey.title': 'Passkey benutzen',
  'passkey.hint':
    'Halten Sie Ihren Sicherheitsschlüssel oder Ihr Gerät bereit. Der Browser fragt danach, wenn Sie auf die Schaltfläche klicken.',
  'passkey.use': 'Passkey benutzen',
  'passkey.wrong':
    '{triesLeft, plural, one {Dieser Passkey wurde nicht angenommen. Sie haben noch einen Versuch.} other {Dieser Passkey wurde nicht angenommen. Sie haben noch # Versuche.}}',
  'passkey.cancelled': 'Es wurde kein Passkey benutzt. Versuchen Sie es noch einmal.',
  'passkey.exists': 'Dieser Passkey ist schon registriert.',
  'passkey.failed': 'Der Browser konnte hier keinen Passkey benutzen.',
  'passkey.unsupported': 'Dieser Browser kann auf dieser Seite keine Passkeys benutzen.',
  'passkey.no-script': 'Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist.',
  'factor.passkey': 'Passkey oder Sicherheitsschlüssel „{label}“',
  'passkeys.title': 'Passkeys und Sicherheitsschlüssel',
  'passkeys.none': 'Sie haben noch keinen Passkey.',
  'passkeys.about':
    'Mit einem Passkey melden Sie sich ohne Passwort und Code an, und auf einer gefälschten Seite funktioniert er nicht.',
  'passkeys.add': 'Passkey hinzufügen',
  'passkeys.resident.yes': 'Anmeldung ohne Passwort',
  'passkeys.resident.no': 'Nur zweiter Schritt',
  'passkeys.resident.unknown': 'Passkey',
  'passkeys.name': 'Name',
  'passkeys.name.hint':
    'Damit Sie ihn wiedererkennen. Bleibt das Feld leer, heißt er wie der Authenticator, etwa „Apple Passwords“ oder „1Password“.',
  'passkeys.added': 'Der Passkey wurde hinzugefügt. Alle anderen Sitzungen wurden abgemeldet.',
  'passkeys.not-offered': 'Unter dieser Adresse können keine Passkeys benutzt werden.',
  'passkeys.refused.expired': 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
  'passkeys.refused.refused': 'Der Passkey konnte nicht hinzugefügt werden. Versuchen Sie es noch einmal.',
  'passkeys.refused.known': 'Dieser Passkey ist schon registriert.',
  'passkeys.refused.count':
    'Sie haben 25 Passkeys. Entfernen Sie einen, den Sie nicht mehr brauchen, bevor Sie einen weiteren hinzufügen.',
  'passkeys.refused.outdated':
    'Es wurde nichts hinzugefügt, weil sich Ihre Anmeldedaten inzwischen geändert haben. Versuchen Sie es noch einmal.',
  'duty.reminder.passkey':
    'Ihr Konto muss einen Passkey haben. Ab {date} müssen Sie ihn hinzufügen, bevor Sie sich anmelden können.',
  'duty.overdue.passkey':
    'Ihr Konto muss einen Passkey haben. Bei der nächsten Anmeldung müssen Sie ihn hinzufügen.',
  'passkeys.enroll.lead':
    'Ihr Konto muss einen Passkey oder Sicherheitsschlüssel haben: Auf einer gefälschten Seite funktioniert er nicht, während man einen Code dort eingeben kann. Danach sind Sie angemeldet.',
  'step-up.passkey': 'Mit einem Passkey bestätigen',
  'step-up.passkey-refused': 'Der Passkey wurde nicht angenommen. Versuchen Sie es noch einmal.',
  'step-up.passkey-only':
    'Ihr Konto bestätigt mit einem Passkey. Seine anderen zweiten Schritte zählen nicht: Einen Code kann man auf einer gefälschten Seite eingeben.',
  'step-up.passkey-counts': 'Ihr Passkey wurde angenommen. Es fehlt nur noch Ihr Passwort.',
  'sessions.proven.passkey': 'Passkey',
}

import type { Texts } from './language.ts'

const en = {
  'event.passkey-added': 'Passkey added',
  'event.passkey-renamed': 'Passkey renamed',
  'event.passkey-removed': 'Passkey removed',
  'event.passkey-used': 'Passkey used',
  'event.passkey-refused': 'Passkey refused',
  'event.passkey-backwards': 'Passkey counted backwards, it may be a copy',
  'event.passkey-unverified': 'Passkey accepted, waiting for the password',
  'notice.passkey-backwards.subject': 'A passkey of your account may have been copied',
  'notice.passkey-backwards.text':
    'a passkey of your account was used, and accepted: “{label}”. Its counter was not higher than at the last time, as happens when a second device has a copy of it. Some devices also count wrongly. If yours has not done this before, remove the passkey on the security page of your account, and add a new one.',
  'notice.passkey-backwards-refused.subject': 'A passkey of your account was refused',
  'notice.passkey-backwards-refused.text':
    'a passkey of your account was used, and refused: “{label}”. Its counter was not higher than at the last time, as happens when a second device has a copy of it. Some devices also count wrongly. Sign in another way, remove the passkey on the security page of your account, and add a new one.',
  'passkey.sign-in': 'Sign in with a passkey',
  'passkey.or': 'or with your password',
  'passkey.sign-in.refused': 'That passkey was not accepted. Try again, or sign in with your password.',
  'passkey.sign-in.unknown':
    'This site does not know that passkey. It may have been removed. Sign in with your password.',
  'passkey.sign-in.password':
    'Your passkey was accepted, but the device did not check that it is you. Enter your password to finish.',
  'passkey.sign-in.locked':
    'That passkey was not accepted, and neither were many others from your network. Try again, or sign in with your password.',
  'passkey.title': 'Use your passkey',
  'passkey.hint':
    'Have your security key or device ready. The browser asks for it when you press the button.',
  'passkey.use': 'Use passkey',
  'passkey.wrong':
    '{triesLeft, plural, one {That passkey was not accepted. One attempt is left.} other {That passkey was not accepted. # attempts are left.}}',
  'passkey.cancelled': 'The browser got no answer from a passkey. Try again.',
  'passkey.exists': 'This passkey is registered already.',
  'passkey.failed': 'The browser could not use a passkey here.',
  'passkey.unsupported': 'This browser cannot use passkeys on this page.',
  'passkey.no-script': 'Passkeys need JavaScript, which is off in this browser.',
  'security.kind.passkey': 'Passkey',
  'factor.passkey': 'Passkey or security key “{label}”',
  'factor.recovery': 'Recovery code',
  'challenge.others': 'Or continue with',
  'challenge.use': 'Use this',
  'challenge.locked-until': 'locked until',
  'passkeys.title': 'Passkeys and security keys',
  'passkeys.none': 'You have no passkey yet.',
  'passkeys.about': 'A passkey signs you in without a password or code, and no false site can use it.',
  'passkeys.add': 'Add a passkey',
  'passkeys.rename': 'Rename',
  'passkeys.remove': 'Remove',
  'passkeys.resident.yes': 'Signs in without a password',
  'passkeys.resident.no': 'Second step only',
  'passkeys.resident.unknown': 'Passkey',
  'passkeys.name': 'Name',
  'passkeys.name.hint': 'So that you recognize it, such as “Blue key” or “Laptop”.',
  'passkeys.save': 'Save',
  'passkeys.cancel': 'Cancel',
  'passkeys.added': 'The passkey was added. All other sessions were signed out.',
  'passkeys.renamed': 'The passkey has its new name.',
  'passkeys.removed':
    'The passkey was removed. It no longer signs anyone in, and all other sessions were signed out.',
  'passkeys.unknown': 'Your account has no such passkey. It may have been removed already.',
  'passkeys.rename.title': 'Rename the passkey',
  'passkeys.remove.title': 'Remove “{label}”?',
  'passkeys.remove.lead':
    'From then on this passkey no longer signs anyone in. Your device may still list it: remove it there, too.',
  'passkeys.not-offered': 'Passkeys cannot be used at this address of the site.',
  'passkeys.elsewhere':
    'No passkey can be added at this address: browsers bind a passkey to the name of the site. Sign in there and add it:',
  'passkeys.refused.expired': 'That took too long. Try again.',
  'passkeys.refused.refused': 'The passkey could not be added. Try again.',
  'passkeys.refused.known': 'This passkey is registered already.',
  'passkeys.refused.count': 'You have 25 passkeys. Remove one that you no longer use before you add another.',
  'passkeys.refused.outdated': 'Nothing was added, because your sign-in data changed meanwhile. Try again.',
  'step-up.action.passkey-add': 'Add a passkey',
  'step-up.action.passkey-remove': 'Remove a passkey',
  'step-up.action.passkey-rename': 'Rename a passkey',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'event.passkey-added': 'Passkey hinzugefügt',
  'event.passkey-renamed': 'Passkey umbenannt',
  'event.passkey-removed': 'Passkey entfernt',
  'event.passkey-used': 'Passkey benutzt',
  'event.passkey-refused': 'Passkey abgelehnt',
  'event.passkey-backwards': 'Zähler eines Passkeys lief rückwärts: Vielleicht ist er eine Kopie',
  'event.passkey-unverified': 'Passkey angenommen, das Passwort fehlt noch',
  'notice.passkey-backwards.subject': 'Ein Passkey Ihres Kontos wurde vielleicht kopiert',
  'notice.passkey-backwards.text':
    'ein Passkey Ihres Kontos wurde benutzt und angenommen: „{label}“. Sein Zähler war nicht höher als beim letzten Mal, was vorkommt, wenn ein zweites Gerät eine Kopie davon hat. Manche Geräte zählen auch falsch. Wenn Ihres das bisher nicht getan hat, entfernen Sie den Passkey auf der Sicherheitsseite Ihres Kontos und fügen Sie einen neuen hinzu.',
  'notice.passkey-backwards-refused.subject': 'Ein Passkey Ihres Kontos wurde abgelehnt',
  'notice.passkey-backwards-refused.text':
    'ein Passkey Ihres Kontos wurde benutzt und abgelehnt: „{label}“. Sein Zähler war nicht höher als beim letzten Mal, was vorkommt, wenn ein zweites Gerät eine Kopie davon hat. Manche Geräte zählen auch falsch. Melden Sie sich auf einem anderen Weg an, entfernen Sie den Passkey auf der Sicherheitsseite Ihres Kontos und fügen Sie einen neuen hinzu.',
  'passkey.sign-in': 'Mit Passkey anmelden',
  'passkey.or': 'oder mit Ihrem Passwort',
  'passkey.sign-in.refused':
    'Dieser Passkey wurde nicht angenommen. Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
  'passkey.sign-in.unknown':
    'Diese Seite kennt diesen Passkey nicht. Vielleicht wurde er entfernt. Melden Sie sich mit Ihrem Passwort an.',
  'passkey.sign-in.password':
    'Ihr Passkey wurde angenommen, aber das Gerät hat nicht geprüft, ob Sie es sind. Geben Sie zum Abschluss Ihr Passwort ein.',
  'passkey.sign-in.locked':
    'Dieser Passkey wurde nicht angenommen, und viele andere aus Ihrem Netz auch nicht. Versuchen Sie es noch einmal, oder melden Sie sich mit Ihrem Passwort an.',
  'passkey.title': 'Passkey benutzen',
  'passkey.hint':
    'Halten Sie Ihren Sicherheitsschlüssel oder Ihr Gerät bereit. Der Browser fragt danach, wenn Sie auf die Schaltfläche klicken.',
  'passkey.use': 'Passkey benutzen',
  'passkey.wrong':
    '{triesLeft, plural, one {Dieser Passkey wurde nicht angenommen. Sie haben noch einen Versuch.} other {Dieser Passkey wurde nicht angenommen. Sie haben noch # Versuche.}}',
  'passkey.cancelled': 'Der Browser bekam keine Antwort von einem Passkey. Versuchen Sie es noch einmal.',
  'passkey.exists': 'Dieser Passkey ist schon registriert.',
  'passkey.failed': 'Der Browser konnte hier keinen Passkey benutzen.',
  'passkey.unsupported': 'Dieser Browser kann auf dieser Seite keine Passkeys benutzen.',
  'passkey.no-script': 'Passkeys brauchen JavaScript, das in diesem Browser ausgeschaltet ist.',
  'security.kind.passkey': 'Passkey',
  'factor.passkey': 'Passkey oder Sicherheitsschlüssel „{label}“',
  'factor.recovery': 'Wiederherstellungscode',
  'challenge.others': 'Oder weiter mit',
  'challenge.use': 'Hiermit weiter',
  'challenge.locked-until': 'gesperrt bis',
  'passkeys.title': 'Passkeys und Sicherheitsschlüssel',
  'passkeys.none': 'Sie haben noch keinen Passkey.',
  'passkeys.about':
    'Mit einem Passkey melden Sie sich ohne Passwort und Code an, und auf einer gefälschten Seite funktioniert er nicht.',
  'passkeys.add': 'Passkey hinzufügen',
  'passkeys.rename': 'Umbenennen',
  'passkeys.remove': 'Entfernen',
  'passkeys.resident.yes': 'Anmeldung ohne Passwort',
  'passkeys.resident.no': 'Nur zweiter Schritt',
  'passkeys.resident.unknown': 'Passkey',
  'passkeys.name': 'Name',
  'passkeys.name.hint': 'Damit Sie ihn wiedererkennen, etwa „Blauer Schlüssel“ oder „Laptop“.',
  'passkeys.save': 'Speichern',
  'passkeys.cancel': 'Abbrechen',
  'passkeys.added': 'Der Passkey wurde hinzugefügt. Alle anderen Sitzungen wurden abgemeldet.',
  'passkeys.renamed': 'Der Passkey wurde umbenannt.',
  'passkeys.removed':
    'Der Passkey wurde entfernt. Mit ihm kann sich niemand mehr anmelden, und alle anderen Sitzungen wurden abgemeldet.',
  'passkeys.unknown': 'Diesen Passkey gibt es in Ihrem Konto nicht. Vielleicht wurde er bereits entfernt.',
  'passkeys.rename.title': 'Passkey umbenennen',
  'passkeys.remove.title': '„{label}“ entfernen?',
  'passkeys.remove.lead':
    'Mit diesem Passkey kann sich dann niemand mehr anmelden. Auf Ihrem Gerät ist er vielleicht noch gespeichert: Entfernen Sie ihn auch dort.',
  'passkeys.not-offered': 'Unter dieser Adresse können keine Passkeys benutzt werden.',
  'passkeys.elsewhere':
    'Unter dieser Adresse kann kein Passkey hinzugefügt werden: Browser binden ihn an den Namen der Seite. Melden Sie sich dort an und fügen Sie ihn hinzu:',
  'passkeys.refused.expired': 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
  'passkeys.refused.refused': 'Der Passkey konnte nicht hinzugefügt werden. Versuchen Sie es noch einmal.',
  'passkeys.refused.known': 'Dieser Passkey ist schon registriert.',
  'passkeys.refused.count':
    'Sie haben 25 Passkeys. Entfernen Sie einen, den Sie nicht mehr brauchen, bevor Sie einen weiteren hinzufügen.',
  'passkeys.refused.outdated':
    'Es wurde nichts hinzugefügt, weil sich Ihre Anmeldedaten inzwischen geändert haben. Versuchen Sie es noch einmal.',
  'step-up.action.passkey-add': 'Passkey hinzufügen',
  'step-up.action.passkey-remove': 'Passkey entfernen',
  'step-up.action.passkey-rename': 'Passkey umbenennen',
}

/** Passkeys and security keys. */
export const passkeys: Texts<keyof typeof en> = { en, de }

import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'devices.trust':
    '{days, plural, one {In diesem Browser # Tag lang nicht nach dem zweiten Schritt fragen} other {In diesem Browser # Tage lang nicht nach dem zweiten Schritt fragen}}',
  'devices.trust.hint': 'Nur auf einem Gerät, das niemand sonst benutzt.',
  'devices.title': 'Vertrauenswürdige Browser',
  'devices.about':
    'In diesen Browsern genügt Ihr Passwort zum Anmelden. Geschützte Aktionen fragen auch dort nach dem zweiten Schritt. Wenn Sie einen Browser entfernen, fragt die nächste Anmeldung darin wieder nach dem zweiten Schritt.',
  'devices.none':
    'Jede Anmeldung fragt nach dem zweiten Schritt. Wenn Sie ihn eingeben, können Sie den Browser als vertrauenswürdig speichern.',
  'devices.this': 'Dieser Browser',
  'devices.trusted': 'Vertrauenswürdig seit:',
  'devices.ends': 'Bis:',
  'devices.revoke': 'Entfernen',
  'devices.revoke-all': 'Alle vertrauenswürdigen Browser entfernen',
  'devices.revoked': 'Der Browser gilt nicht mehr als vertrauenswürdig.',
  'devices.all-revoked': 'Kein Browser gilt mehr als vertrauenswürdig.',
  'devices.replayed':
    'Jemand hat vielleicht einen vertrauenswürdigen Browser kopiert. Sie wurden überall abgemeldet. Wenn Sie ihn nicht aus einer Sicherung wiederhergestellt haben, ändern Sie Ihr Passwort.',
  'sessions.proven.device': 'vertrauenswürdiger Browser',
  'event.device-trusted': 'Browser als vertrauenswürdig gespeichert: dort kein zweiter Schritt',
  'event.device-replayed': 'Alter Schlüssel eines vertrauenswürdigen Browsers benutzt: überall abgemeldet',
  'event.device-revoked': 'Vertrauenswürdigen Browser entfernt',
  'event.devices-revoked': 'Alle vertrauenswürdigen Browser entfernt',
  'notice.device-trusted.subject': 'Ein Browser gilt für Ihr Konto jetzt als vertrauenswürdig',
  'notice.device-trusted.text':
    'jemand hat sich mit Ihrem Passwort und Ihrem zweiten Schritt angemeldet und diesen Browser als vertrauenswürdig gespeichert: {device}. Bis zum {until} UTC genügt darin Ihr Passwort zum Anmelden. Die Sicherheitsseite Ihres Kontos zeigt alle vertrauenswürdigen Browser. Dort können Sie sie auch entfernen.',
  'notice.device-replayed.subject':
    'Jemand hat vielleicht einen vertrauenswürdigen Browser Ihres Kontos kopiert',
  'notice.device-replayed.text':
    'jemand hat sich mit Ihrem Passwort und einem alten Schlüssel eines vertrauenswürdigen Browsers angemeldet: {device}.\n\nAlle vertrauenswürdigen Browser wurden entfernt, und Sie wurden überall abgemeldet: Jede Anmeldung fragt wieder nach dem zweiten Schritt.\n\nWenn Sie den Browser aus einer Sicherung wiederhergestellt oder die Anmeldung doppelt abgeschickt haben, ist nichts zu tun. Sonst hat jemand seine Daten kopiert: Ändern Sie Ihr Passwort.',
}

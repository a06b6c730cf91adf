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
  'devices.trusted': 'Vertrauenswürdig seit:',
  'devices.ends': 'Bis:',
  'devices.revoke': 'Entfernen',
  'devices.revoke-all': 'Alle vertrauenswürdigen Browser entfernen',
  'devices.revoked': 'Der Browser gilt nicht mehr als vertrauenswürdig.',
  'devices.all-revoked': 'Kein Browser gilt mehr als vertrauenswürdig.',
  'devices.replayed':
    'Jemand hat Ihr Passwort und einen alten Schlüssel eines vertrauenswürdigen Browsers benutzt. Dieser Browser gilt nicht mehr als vertrauenswürdig, und die Sitzungen, die er begonnen hat, sind beendet. Das können Sie selbst gewesen sein: mit einer doppelt abgeschickten Anmeldung oder einem Browser, der aus einer Kopie wiederhergestellt wurde. Wenn nicht, ändern Sie Ihr Passwort.',
  'sessions.proven.device': 'vertrauenswürdiger Browser',
  'event.device-trusted': 'Browser als vertrauenswürdig gespeichert: dort kein zweiter Schritt',
  'event.device-replayed':
    'Alter Schlüssel eines vertrauenswürdigen Browsers erneut benutzt, der Browser entfernt und seine Sitzungen beendet',
  'event.device-revoked': 'Vertrauenswürdigen Browser entfernt',
  'event.devices-revoked': 'Alle vertrauenswürdigen Browser entfernt',
  'notice.device-trusted.subject': 'Ein Browser gilt für Ihr Konto jetzt als vertrauenswürdig',
  'notice.device-trusted.text':
    'jemand hat sich mit Ihrem Passwort und Ihrem zweiten Schritt angemeldet und diesen Browser als vertrauenswürdig gespeichert: {device}. Bis zum {until} UTC genügt darin Ihr Passwort zum Anmelden. Die Sicherheitsseite Ihres Kontos zeigt alle vertrauenswürdigen Browser. Dort können Sie sie auch entfernen.',
  'notice.device-replayed.subject':
    'Jemand hat vielleicht einen vertrauenswürdigen Browser Ihres Kontos kopiert',
  'notice.device-replayed.text':
    'jemand hat Ihr Passwort und einen alten, schon ersetzten Schlüssel eines vertrauenswürdigen Browsers benutzt: {device}. Der zweite Schritt wurde verlangt, dieser Browser gilt nicht mehr als vertrauenswürdig, und die Sitzungen, die er ohne den zweiten Schritt begonnen hat, sind beendet. Das kommt vor, wenn ein Browser oder seine Daten aus einer Kopie wiederhergestellt wurden, eine Anmeldung doppelt abgeschickt wurde oder die Antwort darauf verloren ging. Es kommt auch vor, wenn jemand seine Daten kopiert hat.',
}

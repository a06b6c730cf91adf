import type { Texts } from './language.ts'

const en = {
  'devices.trust':
    '{days, plural, one {Do not ask for the second step on this browser for # day} other {Do not ask for the second step on this browser for # days}}',
  'devices.trust.hint': 'Only on a device that nobody else uses.',
  'devices.title': 'Trusted browsers',
  'devices.about':
    'On these browsers your password is enough to sign in. Protected actions ask for the second step there, too. Remove a browser, and the next sign-in on it asks for the second step again.',
  'devices.none': 'Every sign-in asks for the second step. When you enter it, you can trust a browser.',
  'devices.trusted': 'Trusted:',
  'devices.ends': 'Until:',
  'devices.revoke': 'Remove',
  'devices.revoke-all': 'Remove all trusted browsers',
  'devices.revoked': 'The browser is no longer trusted.',
  'devices.all-revoked': 'No browser is trusted any more.',
  'devices.replayed':
    'Someone used your password and an old key of a trusted browser. That browser is no longer trusted, and the sessions that it began have ended. If you did not restore this browser from a copy, change your password.',
  'devices.replayed.before':
    'Someone used your password and an old key of a trusted browser: {device}. That browser is no longer trusted, and the sessions that it began have ended. The browsers that are trusted now are not affected. If you did not restore that browser from a copy, change your password.',
  'sessions.proven.device': 'trusted browser',
  'event.device-trusted': 'Browser trusted: no second step there',
  'event.device-forgotten': 'Trust in a browser ended',
  'event.device-replayed': 'Old key of a trusted browser used again, trust and its sessions ended',
  'event.device-revoked': 'Trusted browser removed',
  'event.devices-revoked': 'All trusted browsers removed',
  'notice.device-trusted.subject': 'A browser was trusted for your account',
  'notice.device-trusted.text':
    'someone signed in with your password and your second step, and trusted this browser: {device}. Until {until} UTC, your password is enough to sign in on it. The security page of your account lists all trusted browsers, and removes them.',
  'notice.device-replayed.subject': 'Someone may have copied a trusted browser of your account',
  'notice.device-replayed.text':
    'someone signed in with your password and an old key of a trusted browser, which had been used before: {device}. The second step was asked for, that browser is no longer trusted, and the sessions that it began without the second step have ended.{alike, plural, =0 {} one { The browser of the same name that is trusted now is not affected: it has a key of its own.} other { The # browsers of the same name that are trusted now are not affected: each has a key of its own.}} This happens when a browser or its data was restored from a copy, or when the last response to it got lost. It also happens when someone copied its data.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
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
    'Jemand hat Ihr Passwort und einen alten Schlüssel eines vertrauenswürdigen Browsers benutzt. Dieser Browser gilt nicht mehr als vertrauenswürdig, und die Sitzungen, die er begonnen hat, sind beendet. Wenn Sie ihn nicht aus einer Kopie wiederhergestellt haben, ändern Sie Ihr Passwort.',
  'devices.replayed.before':
    'Jemand hat Ihr Passwort und einen alten Schlüssel eines vertrauenswürdigen Browsers benutzt: {device}. Dieser Browser gilt nicht mehr als vertrauenswürdig, und die Sitzungen, die er begonnen hat, sind beendet. Die jetzt vertrauenswürdigen Browser sind nicht betroffen. Wenn Sie ihn nicht aus einer Kopie wiederhergestellt haben, ändern Sie Ihr Passwort.',
  'sessions.proven.device': 'vertrauenswürdiger Browser',
  'event.device-trusted': 'Browser als vertrauenswürdig gespeichert: dort kein zweiter Schritt',
  'event.device-forgotten': 'Browser gilt nicht mehr als vertrauenswürdig',
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
    'jemand hat Ihr Passwort und einen alten, schon ersetzten Schlüssel eines vertrauenswürdigen Browsers benutzt: {device}. Der zweite Schritt wurde verlangt, dieser Browser gilt nicht mehr als vertrauenswürdig, und die Sitzungen, die er ohne den zweiten Schritt begonnen hat, sind beendet.{alike, plural, =0 {} one { Der jetzt vertrauenswürdige Browser mit demselben Namen ist nicht betroffen: Er hat einen eigenen Schlüssel.} other { Die # jetzt vertrauenswürdigen Browser mit demselben Namen sind nicht betroffen: Jeder hat einen eigenen Schlüssel.}} Das kommt vor, wenn ein Browser oder seine Daten aus einer Kopie wiederhergestellt wurden oder die letzte Antwort an ihn verloren ging. Es kommt auch vor, wenn jemand seine Daten kopiert hat.',
}

/** Trusted browsers: the box at the second door, the list, events and mails. */
export const devices: Texts<keyof typeof en> = { en, de }

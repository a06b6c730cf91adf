import type { Texts } from './language.ts'

const en = {
  'device.both': '{browser} on {system}',
  'device.one': '{name}',
  'device.unknown': 'Unknown browser',
  'device.place': 'network {place}',
  'sessions.title': 'Where you are signed in',
  'sessions.lead': 'A session that you end is refused at once.',
  'sessions.menu': 'Sessions',
  'sessions.this': 'This browser',
  'sessions.now': 'in use now',
  'sessions.used': 'last used',
  'sessions.began': 'signed in',
  'sessions.proven': 'with',
  'sessions.proven.password': 'password',
  'sessions.proven.totp': 'authenticator app',
  'sessions.proven.hotp': 'code generator',
  'sessions.proven.recovery': 'recovery code',
  'sessions.end': 'End',
  'sessions.end.which': 'session in {device}',
  'sessions.hidden':
    '{count, plural, one {# more session is not shown.} other {# more sessions are not shown.}}',
  'sessions.others': 'End all others',
  'sessions.all': 'End all sessions, this one included',
  'sessions.ended': 'The session was ended.',
  'sessions.others-ended': 'All other sessions were ended.',
  'sessions.all.title': 'End all sessions',
  'sessions.all.lead':
    'You are signed out everywhere, here too. A sign-in that is under way has to start over.',
  'sessions.all.submit': 'End all sessions',
  'sessions.all.back': 'Back to the sessions',
  'sessions.all.ended':
    'All sessions of your account have ended. If someone else may know your password, choose a new one.',
  'activity.title': 'Activity',
  'activity.lead':
    'What happened on this account, and from where. Nobody can change it, and the database keeps it for at least 90 days.',
  'activity.empty': 'Nothing has happened yet.',
  'activity.pages': 'Pages of the activity',
  'activity.newest': 'Newest entries',
  'activity.older': 'Older entries',
  'activity.export': 'All of it as a file:',
  'activity.all': 'All activity',
  'step-up.action.end-session': 'End sessions on other devices',
  'step-up.action.end-sessions': 'End all sessions of your account',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'device.both': '{browser} unter {system}',
  'device.one': '{name}',
  'device.unknown': 'Unbekannter Browser',
  'device.place': 'Netz {place}',
  'sessions.title': 'Wo Sie angemeldet sind',
  'sessions.lead': 'Wenn Sie eine Sitzung beenden, gilt sie sofort nicht mehr.',
  'sessions.menu': 'Sitzungen',
  'sessions.this': 'Dieser Browser',
  'sessions.now': 'wird gerade benutzt',
  'sessions.used': 'zuletzt benutzt',
  'sessions.began': 'angemeldet',
  'sessions.proven': 'mit',
  'sessions.proven.password': 'Passwort',
  'sessions.proven.totp': 'Authenticator-App',
  'sessions.proven.hotp': 'Codegenerator',
  'sessions.proven.recovery': 'Wiederherstellungscode',
  'sessions.end': 'Beenden',
  'sessions.end.which': 'Sitzung in {device}',
  'sessions.hidden':
    '{count, plural, one {# weitere Sitzung wird nicht angezeigt.} other {# weitere Sitzungen werden nicht angezeigt.}}',
  'sessions.others': 'Alle anderen beenden',
  'sessions.all': 'Alle Sitzungen beenden, auch diese',
  'sessions.ended': 'Die Sitzung wurde beendet.',
  'sessions.others-ended': 'Alle anderen Sitzungen wurden beendet.',
  'sessions.all.title': 'Alle Sitzungen beenden',
  'sessions.all.lead':
    'Sie werden überall abgemeldet, auch hier. Eine laufende Anmeldung muss von vorn beginnen.',
  'sessions.all.submit': 'Alle Sitzungen beenden',
  'sessions.all.back': 'Zurück zu den Sitzungen',
  'sessions.all.ended':
    'Alle Sitzungen Ihres Kontos sind beendet. Wenn jemand anders Ihr Passwort kennen könnte, wählen Sie ein neues.',
  'activity.title': 'Aktivitäten',
  'activity.lead':
    'Was mit diesem Konto geschah, und von wo aus. Niemand kann es ändern, und die Datenbank bewahrt es mindestens 90 Tage auf.',
  'activity.empty': 'Es ist noch nichts geschehen.',
  'activity.pages': 'Seiten der Aktivitäten',
  'activity.newest': 'Neueste Einträge',
  'activity.older': 'Ältere Einträge',
  'activity.export': 'Alles als Datei:',
  'activity.all': 'Alle Aktivitäten',
  'step-up.action.end-session': 'Sitzungen auf anderen Geräten beenden',
  'step-up.action.end-sessions': 'Alle Sitzungen Ihres Kontos beenden',
}

/** The sessions of an account. */
export const sessions: Texts<keyof typeof en> = { en, de }

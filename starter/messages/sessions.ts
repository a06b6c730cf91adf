import type { Texts } from './language.ts'

const en = {
  'device.both': '{browser} on {system}',
  'device.one': '{name}',
  'device.unknown': 'Unknown browser',
  'device.place': 'network {place}',
  'sessions.title': 'Where you are signed in',
  'sessions.lead': 'A session that you end is refused at once.',
  'sessions.this': 'This browser',
  'sessions.now': 'in use now',
  'sessions.used': 'last used',
  'sessions.began': 'signed in',
  'sessions.proven': 'with',
  'sessions.proven.password': 'password',
  'sessions.proven.totp': 'authenticator app',
  'sessions.proven.hotp': 'code token',
  'sessions.proven.passkey': 'passkey',
  'sessions.proven.recovery': 'recovery code',
  'sessions.end': 'End',
  'sessions.end.which': 'the session in {device}',
  'sessions.hidden':
    '{count, plural, one {# more session is not shown.} other {# more sessions are not shown.}}',
  'sessions.others': 'End all others',
  'sessions.all': 'End all sessions, this one included',
  'sessions.ended': 'The session was ended.',
  'sessions.others-ended': 'All other sessions were ended.',
  'sessions.gone': 'There was nothing to end: it had ended before.',
  'sessions.all.title': 'End all sessions',
  'sessions.all.lead':
    'You are signed out everywhere, here too. Whoever is signing in at this moment has to start over.',
  'sessions.all.submit': 'End all sessions',
  'sessions.all.back': 'Back to the sessions',
  'sessions.all.ended': 'All sessions were ended',
  'sessions.all.ended.text':
    'Nobody is signed in to your account any more. If somebody else may know your password, choose a new one.',
  'step-up.action.end-sessions': 'End all sessions of your account',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'device.both': '{browser} unter {system}',
  'device.one': '{name}',
  'device.unknown': 'Unbekannter Browser',
  'device.place': 'Netz {place}',
  'sessions.title': 'Wo Sie angemeldet sind',
  'sessions.lead': 'Eine Sitzung, die Sie beenden, wird sofort abgewiesen.',
  'sessions.this': 'Dieser Browser',
  'sessions.now': 'gerade in Benutzung',
  'sessions.used': 'zuletzt benutzt',
  'sessions.began': 'angemeldet',
  'sessions.proven': 'mit',
  'sessions.proven.password': 'Passwort',
  'sessions.proven.totp': 'Authenticator-App',
  'sessions.proven.hotp': 'Code-Generator',
  'sessions.proven.passkey': 'Passkey',
  'sessions.proven.recovery': 'Wiederherstellungscode',
  'sessions.end': 'Beenden',
  'sessions.end.which': 'die Sitzung in {device}',
  'sessions.hidden':
    '{count, plural, one {# weitere Sitzung wird nicht gezeigt.} other {# weitere Sitzungen werden nicht gezeigt.}}',
  'sessions.others': 'Alle anderen beenden',
  'sessions.all': 'Alle Sitzungen beenden, auch diese',
  'sessions.ended': 'Die Sitzung wurde beendet.',
  'sessions.others-ended': 'Alle anderen Sitzungen wurden beendet.',
  'sessions.gone': 'Es gab nichts zu beenden: Das war schon geschehen.',
  'sessions.all.title': 'Alle Sitzungen beenden',
  'sessions.all.lead':
    'Sie werden überall abgemeldet, auch hier. Wer sich gerade anmeldet, muss von vorn beginnen.',
  'sessions.all.submit': 'Alle Sitzungen beenden',
  'sessions.all.back': 'Zurück zu den Sitzungen',
  'sessions.all.ended': 'Alle Sitzungen wurden beendet',
  'sessions.all.ended.text':
    'Niemand ist mehr bei Ihrem Konto angemeldet. Wenn jemand anderes Ihr Passwort kennen könnte, wählen Sie ein neues.',
  'step-up.action.end-sessions': 'Alle Sitzungen Ihres Kontos beenden',
}

/** The sessions of an account. */
export const sessions: Texts<keyof typeof en> = { en, de }

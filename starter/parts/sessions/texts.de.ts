/** Its texts in German. */
export const de = {
  'sessions.title': 'Wo Sie angemeldet sind',
  'sessions.lead': 'Wenn Sie eine Sitzung beenden, gilt sie sofort nicht mehr.',
  'sessions.menu': 'Sitzungen',
  'sessions.this': 'Dieser Browser',
  'sessions.now': 'wird gerade benutzt',
  'sessions.used': 'zuletzt benutzt',
  'sessions.began': 'angemeldet',
  'sessions.proven': 'mit',
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
  'step-up.action.end-session': 'Sitzungen auf anderen Geräten beenden',
  'step-up.action.end-sessions': 'Alle Sitzungen Ihres Kontos beenden',
  'event.session-ended': 'Sitzung beendet',
  'event.other-sessions-ended': 'Alle anderen Sitzungen beendet',
  'event.sessions-ended': 'Alle Sitzungen beendet',
}

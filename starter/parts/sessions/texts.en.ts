/** Its texts in English. */
export const en = {
  'sessions.title': 'Where you are signed in',
  'sessions.lead': 'A session that you end is refused at once.',
  'sessions.menu': 'Sessions',
  'sessions.this': 'This browser',
  'sessions.now': 'in use now',
  'sessions.used': 'last used',
  'sessions.began': 'signed in',
  'sessions.proven': 'with',
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
  'step-up.action.end-session': 'End sessions on other devices',
  'step-up.action.end-sessions': 'End all sessions of your account',
  'event.session-ended': 'Session ended',
  'event.other-sessions-ended': 'All other sessions ended',
  'event.sessions-ended': 'All sessions ended',
}

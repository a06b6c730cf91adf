/** Its texts in English. */
export const en = {
  'not-me.title': 'This was not you?',
  'not-me.lead':
    'Then end every session of your account now, on every device, and choose a new password afterwards. Your second step stays as it is.',
  'not-me.submit': 'End all sessions',
  'not-me.nothing': 'If it was you after all, close this page. Nothing has changed.',
  'not-me.done':
    'All sessions of your account have ended. Someone may still know your password: choose a new one now.',
  'not-me.done.reset': 'Choose a new password',
  'not-me.outdated.title': 'This link is out of date',
  'not-me.outdated.text': 'It has expired, or it was used before.',
  'notice.object':
    'If this was you, there is nothing to do. If it was not you, open this link to sign out every session of your account and to choose a new password:',
  'notice.object.once':
    '{days, plural, one {The link works once, for # day.} other {The link works once, for # days.}}',
  'notice.object-by-administrator':
    'If you did not ask for this, ask the administrator of the site why it was done. If you think that someone else asked for it in your name, open this link to sign out every session of your account and to choose a new password:',
}

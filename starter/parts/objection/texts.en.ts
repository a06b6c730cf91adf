/** Its texts in English. */
export const en = {
  'not-me.title': "Wasn't you?",
  'not-me.lead': 'Sign out everywhere now, and choose a new password afterwards.',
  'not-me.submit': 'Sign out everywhere',
  'not-me.nothing': 'If it was you, close this page.',
  'not-me.done': 'We signed you out everywhere. Someone may still know your password: choose a new one now.',
  'not-me.outdated.title': 'This link is out of date',
  'not-me.outdated.text': 'It expired or was already used.',
  'notice.object':
    'If this was you, there is nothing to do. If it was not you, open this link to sign out every session of your account and to choose a new password:',
  'notice.object.once':
    '{days, plural, one {The link works once, for # day.} other {The link works once, for # days.}}',
  'notice.object-by-administrator':
    'If you did not ask for this, ask the administrator of the site why it was done. If you think that someone else asked for it in your name, open this link to sign out every session of your account and to choose a new password:',
}

/** Its texts in English. */
export const en = {
  'unlock.title': 'Unlock this browser',
  'unlock.lead':
    'Codes are paused after too many wrong ones. Unlock this browser to try again: five attempts, ten minutes.',
  'unlock.submit': 'Unlock',
  'unlock.nothing': "If you don't want to sign in now, close this page.",
  'unlock.done': 'This browser is unlocked for ten minutes.',
  'unlock.outdated.text':
    'It expired or was already used. Wait until the lock ends, or use another second step.',
  'challenge.locked.mail': "We've emailed you a link that unlocks this browser.",
  'notice.factor-locked.unlock':
    'If you want to sign in before that, open this link in the browser in which you sign in. It lets that browser go on, and no other. It works once, for an hour, and signs nobody in:',
  'notice.factor-unlocked.subject': 'A browser was unlocked for your account',
  'notice.factor-unlocked.text':
    'The link of an email about a locked second step was used. The browser in which it was opened may try five more codes. In other browsers the lock stays until its time is over, or until one of these codes is right.',
  'event.factor-unlocked': 'Browser unlocked with the link in an email',
}

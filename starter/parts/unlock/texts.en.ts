/** Its texts in English. */
export const en = {
  'unlock.title': 'Go on in this browser',
  'unlock.lead':
    'A second step of your account is locked after too many wrong codes. This button lets you go on in this browser, for ten minutes and with five more attempts. Password and code are asked for as always. The button changes nothing in other browsers: there the lock stays until its time is over, or until a right code of the locked step is entered here.',
  'unlock.submit': 'Unlock this browser',
  'unlock.nothing': 'If you do not want to sign in now, close this page. Nothing has changed.',
  'unlock.done': 'This browser is unlocked for ten minutes.',
  'unlock.outdated.title': 'This link is out of date',
  'unlock.outdated.text':
    'It has expired, or it was used before. Wait until the lock ends, or use another second step.',
  'challenge.locked.mail':
    'We have sent you a mail. Its link lets you go on in this browser without waiting.',
  'notice.factor-locked.unlock':
    'If you want to sign in before that, open this link in the browser in which you sign in. It lets that browser go on, and no other. It works once, for an hour, and signs nobody in:',
  'notice.factor-unlocked.subject': 'A browser was unlocked for your account',
  'notice.factor-unlocked.text':
    'the link of a mail about a locked second step was used. The browser in which it was opened may try five more codes. In other browsers the lock stays until its time is over, or until one of these codes is right.',
  'notice.factor-unlock-failed.subject': 'A browser could not be unlocked for your account',
  'notice.factor-unlock-failed.text':
    'the link of a mail about a locked second step did not help: it was used again or too late, or five more codes were wrong in the browser that it unlocked. This changed nothing about the lock.',
  'event.factor-unlocked': 'Browser unlocked with the link in a mail',
  'event.factor-unlock-refused': 'Unlocking a browser failed',
}

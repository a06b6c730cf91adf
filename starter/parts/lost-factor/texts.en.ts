/** Its texts in English. */
export const en = {
  'lost.link': 'Lost access to your second step?',
  'lost.title': 'Lost access?',
  'lost.lead': 'Try these, the quickest first.',
  'lost.first.title': 'Set up your second step',
  'lost.first.lead':
    'Your account must have a second step and has none. Because your password was set by email in the last 30 days, there is a waiting time.',
  'lost.first.text':
    "We'll email you a link. After you confirm it, you wait for 14 days. Then you can set up your second step. A link in each of our emails stops it.",
  'lost.code': 'A recovery code',
  'lost.code.text': 'You saved them when you set up the second step.',
  'lost.code.use': 'Use a recovery code',
  'lost.code.none': 'No recovery code is left.',
  'lost.other': 'Another second step',
  'lost.other.text': 'Use one of these, and then remove what you lost.',
  'lost.other.none': 'Your account has no other second step.',
  'lost.other.use': 'Back to the second step',
  'lost.verified': 'After a waiting time',
  'lost.verified.text':
    "We'll email you a link. After 72 hours, or 14 days if your password was set by email in the last 30 days, you can set up a new second step. Anyone who can still sign in can stop it.",
  'lost.verified.none': 'Ask the administrator of this site: the site itself cannot send emails.',
  'lost.verified.ask': 'Start the recovery',
  'lost.verified.asked':
    "We've emailed you a link, which works for 30 minutes. The waiting time begins when you open it and confirm.",
  'lost.verified.again': 'Send another link',
  'lost.verified.waiting': 'The recovery is under way. You can set up a new second step from',
  'lost.verified.waiting.hint':
    'Sign in with your password then, and come back to this page. If you find your second step before, just sign in: that stops the recovery.',
  'lost.verified.ready': 'The waiting time is over. Continue within 7 days of its end.',
  'lost.verified.continue': 'Set up a new second step',
  'lost.verified.paused': 'A recovery was stopped. You can start another one from',
  'lost.meanwhile': 'Sign in meanwhile',
  'lost.meanwhile.text':
    "This signs you in. It stops no recovery, and you can't replace what you lost with it.",
  'lost.locked': 'A recovery was requested too often.',
  'lost.confirm.title': 'Start the recovery?',
  'lost.confirm.text': 'Start the recovery of the second step for',
  'lost.confirm.submit': 'Start the waiting time',
  'lost.waiting.title': 'The waiting time has begun',
  'lost.waiting.next':
    'Sign in with your password after that time, and choose “Lost access” on the page of the second step. We have sent you an email with a link that stops the recovery.',
  'lost.cancel.title': 'Stop the recovery?',
  'lost.cancel.text': 'The second step stays as it is, for the account',
  'lost.cancel.submit': 'Stop it',
  'lost.stopped.title': 'The recovery was stopped',
  'lost.stopped.text':
    'Your second step stays as it is. If you did not start the recovery, someone knows your password: sign in and change your password.',
  'lost.outdated.text': 'The recovery has ended, or the link was used before.',
  'lost.notice':
    "Account recovery is in progress: your second step will be replaced. If it wasn't you, stop it and change your password.",
  'lost.notice.stop': 'Stop it',
  'lost.cancelled': 'The recovery was stopped. Your second step stays as it is.',
  'lost.cancelled-by-sign-in':
    'A recovery of your second step was under way. It was stopped, because you signed in. If you did not start it, change your password.',
  'lost.cancelled-by-code':
    'A recovery of your second step was under way. It was stopped, because you signed in with a recovery code, which lets you replace the second step now. If you did not start it, change your password.',
  'mail.lost-confirm.subject': 'Start the recovery of your second step?',
  'mail.lost-confirm.text':
    'Hello,\n\nYour password was entered, and someone says that your second step is lost. If it was you, open this link within 30 minutes. A waiting time begins then:\n\n{url}\n\nIf it was not you, someone knows your password: stop the recovery with this link, and change your password:\n\n{cancel}',
  'mail.lost-waiting.subject': 'Your second step is about to be replaced',
  'mail.lost-waiting.text':
    'Hello,\n\nThe recovery of your second step has begun. From {at} on, and for 7 days, your password and another link to this address are enough to set up a new second step. Until then nothing changes.\n\nIf it was not you, stop it with this link, and change your password:\n\n{url}',
  'mail.lost-continue.subject': 'Set up a new second step',
  'mail.lost-continue.text':
    'Hello,\n\nThe waiting time of your recovery is over, and your password was just entered. Open this link in the same browser to set up a new second step. The earlier ones no longer work when it is set up:\n\n{url}\n\nIf it was not you, stop the recovery with this link, and change your password:\n\n{cancel}',
  'notice.recovery-cancelled.subject': 'The recovery of your second step was stopped',
  'notice.recovery-cancelled.text':
    'The recovery of your second step was stopped. Your second step stays as it is. If you did not start the recovery, someone knows your password.',
  'notice.factors-replaced.subject': 'Your second step was replaced',
  'notice.factors-replaced.text':
    'A new second step was set up after a recovery: “{label}”. The earlier ones, and the earlier recovery codes, no longer work. All sessions were signed out.',
  'event.recovery-requested': 'Recovery of the second step requested',
  'event.recovery-confirmed': 'Recovery of the second step confirmed, waiting',
  'event.recovery-cancelled': 'Recovery of the second step stopped',
  'event.recovery-completed': 'Second step replaced after a recovery',
  'mail.lost-ready.subject': 'You can set up a new second step now',
  'mail.lost-ready.text':
    'Hello,\n\nThe waiting time for the recovery of your second step is over. Sign in with your password, choose “Lost access” on the page of the second step, and go on there until {at} UTC:\n\n{url}\n\nYour present second step works until the new one is set up. If you find it before, just sign in: that stops the recovery.\n\nIf it was not you who started the recovery, stop it with this link, and change your password:\n\n{cancel}',
  'admin.condition.recovery-asked': 'Recovery requested, not confirmed',
  'admin.condition.recovery-waiting': 'Recovery of a lost second step waits',
  'admin.condition.recovery-ready': 'New second step can be set up',
  'admin.mark.recovery': 'Recovery',
} as const

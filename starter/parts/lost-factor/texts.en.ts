/** Its texts in English. */
export const en = {
  'lost.link': 'Lost access to your second step?',
  'lost.title': 'Lost access?',
  'lost.lead': 'There are three ways, the quickest first.',
  'lost.first.title': 'Set up your second step',
  'lost.first.lead':
    'Your account must have a second step and has none. Your password was set by a link in an email during the last 30 days, so there is a waiting time: someone who only reads your emails would have got this far, too.',
  'lost.first.text':
    'We send a link to your address. After it is confirmed, you wait for 14 days. Then you set up the second step with your password and another link. Each of our emails about it has a link that stops it.',
  'lost.code': 'A recovery code',
  'lost.code.text': 'You got ten of them when you set up the second step. Each works once.',
  'lost.code.use': 'Use a recovery code',
  'lost.code.none': 'No recovery code is left.',
  'lost.other': 'Another second step',
  'lost.other.text': 'If you have one of these at hand, use it, and then remove what you lost.',
  'lost.other.none': 'Your account has no other second step.',
  'lost.other.use': 'Back to the second step',
  'lost.verified': 'Recovery after a waiting time',
  'lost.verified.text':
    'If neither is left: we send a link to your address. After it is confirmed, you wait for 72 hours, or 14 days if your password was set by a link in an email during the last 30 days. Then you set up a new second step with your password and another link. Anyone who can still sign in to the account can stop it until then.',
  'lost.verified.none': 'Ask the administrator of this site: the site itself cannot send emails.',
  'lost.verified.ask': 'Start the recovery',
  'lost.verified.asked':
    'A link is on its way to your address. It works for 30 minutes. The waiting time begins when you have confirmed it.',
  'lost.verified.again': 'Send another link',
  'lost.verified.waiting': 'The recovery is under way. You can set up a new second step from',
  'lost.verified.waiting.hint':
    'Sign in with your password after that time and come back to this page. If you find your second step before, sign in with it: that stops the recovery.',
  'lost.verified.ready': 'The waiting time is over. Continue within 7 days of its end.',
  'lost.verified.continue': 'Set up a new second step',
  'lost.verified.paused': 'A recovery was stopped. You can start another one from',
  'lost.meanwhile': 'Sign in meanwhile',
  'lost.meanwhile.text':
    'This signs you in. It stops no recovery, and with it you cannot remove or replace what you lost.',
  'lost.locked': 'A recovery was asked for too often.',
  'lost.confirm.title': 'Start the recovery?',
  'lost.confirm.text': 'A new second step is to take the place of the lost one, for the account',
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
    'Someone who knows your password has started to replace your second step, because it is said to be lost. If it was not you, stop it, and change your password.',
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
  'event.recovery-requested': 'Recovery of the second step asked for',
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

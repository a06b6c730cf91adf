/** Its texts in English. */
export const en = {
  'step-up.action.delete-account': 'Delete your account',
  'deletion.title': 'Delete your account',
  'deletion.lead':
    'You are signed out everywhere at once, and programs with a token of yours are refused. After {days} days the account is erased. Until then you can keep it: sign in, or use the link in the mail that we send you.',
  'deletion.gone':
    'We erase your name, your address, your password, every second step, every token and what we know about your devices. The record of events stays for as long as the operators keep it: what happened when, and from which network address, without your name or your e-mail address.',
  'deletion.typed': 'E-mail address of this account',
  'deletion.typed.hint': 'So that nobody does this by mistake, type',
  'deletion.submit': 'Delete my account',
  'deletion.asked':
    'You are signed out everywhere, and your account will be erased after the waiting time. Sign in before then to keep it.',
  'deletion.stop.title': 'Keep the account?',
  'deletion.stop.lead': 'Your account will be erased after this time:',
  'deletion.stop.submit': 'Keep my account',
  'deletion.stop.nothing':
    'If you want it erased, close this page. If you did not ask for that, keep the account and choose a new password.',
  'deletion.stopped':
    'The deletion was stopped: the account stays. If it was not you who asked for it, choose a new password now.',
  'deletion.stopped-by-sign-in': 'Your account was about to be erased. It stays, because you have signed in.',
  'deletion.outdated.text': 'The account stays already, or it was erased.',
  'mail.deletion-requested.subject': 'Your account will be erased',
  'mail.deletion-requested.text':
    'Hello,\n\nsomeone who was signed in to your account asked to delete it. All its sessions have ended, and it will be erased after this time:\n\n{at}\n\nUntil then, signing in keeps it, and so does this link:\n\n{url}\n\nIf it was not you, open the link and choose a new password.',
  'mail.deletion-done.subject': 'Your account was erased',
  'mail.deletion-done.text':
    'Hello,\n\nthe account with this address was erased, as its owner asked. This is the last mail to it. You can create a new account with this address at any time.',
  'notice.deletion-stopped.subject': 'Your account stays',
  'notice.deletion-stopped.text':
    'your account was about to be erased. It stays, because someone signed in to it or used the link in the mail.',
  'deletion.link': 'Delete the account',
  'deletion.link.hint': 'Nothing is erased at once: you can still change your mind.',
  'event.deletion-requested': 'Deletion of the account asked for, all sessions ended',
  'event.deletion-stopped': 'Deletion of the account stopped',
  'event.account-erased': 'Account erased',
}

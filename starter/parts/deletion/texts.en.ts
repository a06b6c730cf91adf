/** Its texts in English. */
export const en = {
  'step-up.action.delete-account': 'Delete your account',
  'deletion.title': 'Delete your account',
  'deletion.lead':
    "We'll sign you out everywhere and revoke your API tokens now, and delete the account in {days} days. Sign in before then to keep it.",
  'deletion.gone':
    'We delete your name, address, password, second steps, tokens and devices. The audit trail stays without your name and address.',
  'deletion.typed': 'Email address of this account',
  'deletion.typed.hint': 'To confirm, type',
  'deletion.submit': 'Delete my account',
  'deletion.asked':
    'You were signed out everywhere. Sign in to keep your account; otherwise it will be deleted.',
  'deletion.stop.title': 'Keep the account?',
  'deletion.stop.lead': 'Your account will be deleted after',
  'deletion.stop.submit': 'Keep my account',
  'deletion.stop.nothing':
    "If you want it deleted, close this page. If you didn't ask for that, keep it and choose a new password.",
  'deletion.stopped': "Your account stays. If you didn't ask to delete it, choose a new password now.",
  'deletion.stopped-by-sign-in': 'You signed in, so your account stays.',
  'deletion.outdated.text': 'The account stays already, or it was deleted.',
  'mail.deletion-requested.subject': 'Your account will be deleted',
  'mail.deletion-requested.text':
    'Hello,\n\nSomeone who was signed in to your account asked to delete it. It was signed out everywhere, and it will be deleted after this time:\n\n{at}\n\nUntil then, signing in keeps it, and so does this link:\n\n{url}\n\nIf it was not you, open the link and choose a new password.',
  'mail.deletion-done.subject': 'Your account was deleted',
  'mail.deletion-done.text':
    'Hello,\n\nThe account with this address was deleted, as its owner asked. This is the last email to it. You can create a new account with this address at any time.',
  'notice.deletion-stopped.subject': 'Your account stays',
  'notice.deletion-stopped.text':
    'Your account was about to be deleted. It stays, because someone signed in to it or used the link in the email.',
  'deletion.link': 'Delete the account',
  'deletion.link.hint': 'You can still change your mind.',
  'event.deletion-requested': 'Account deletion requested, signed out everywhere',
  'event.deletion-stopped': 'Account deletion stopped',
  'event.account-erased': 'Account deleted',
}

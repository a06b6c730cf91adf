/** The forgotten password: pages and mails. */
export const reset = {
  'reset.title': 'Forgot your password?',
  'reset.lead': 'We send you a link. Open it to choose a new password. Your second step stays as it is.',
  'reset.signed-in':
    'You are signed in. A new password signs you out everywhere, here too, and you sign in with the new one.',
  'reset.submit': 'Send the link',
  'reset.back': 'Back to sign-in',
  'reset.link': 'Forgot your password?',
  'reset.locked': 'Too many links were asked for.',
  'reset.sent.title': 'Check your email',
  'reset.sent.text':
    'If you asked for a link and an account has that address, an email with the link is on its way. It works once, for 30 minutes.',
  'reset.new.title': 'Choose a new password',
  'reset.new.who': 'You are choosing a new password for',
  'reset.new.ends':
    'The account is signed out everywhere. Then you sign in with the new password, and with your second step if you have one.',
  'reset.new.submit': 'Set the password',
  'reset.outdated.text': 'It has expired, it was used before, or the account has changed since.',
  'reset.done': 'Your password has been changed. Sign in with the new one.',
  'mail.reset.subject': 'Choose a new password',
  'mail.reset.text':
    'Hello,\n\nSomeone asked for a new password for the account with this address. If it was you, open this link and choose one:\n\n{url}\n\nThe link works once, for 30 minutes. If it was not you, do nothing: your password stays as it is.',
  'mail.reset-disabled.subject': 'Your account is disabled',
  'mail.reset-disabled.text':
    'Hello,\n\nSomeone asked for a new password for the account with this address. An administrator disabled this account, so it gets no new password, and nobody can sign in to it.\n\nIf it was you, ask the administrator of the site. If it was not you, do nothing. Nothing has changed.',
  'mail.reset-unknown.subject': 'There is no account with this address',
  'mail.reset-unknown.text':
    'Hello,\n\nSomeone asked for a new password for an account with this address. There is none. If it was you, try the other addresses that you use:\n\n{url}\n\nIf it was not you, do nothing. Nothing has changed.',
}

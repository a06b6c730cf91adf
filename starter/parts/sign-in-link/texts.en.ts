/** Its texts in English. */
export const en = {
  'event.sign-in-link-requested': 'Sign-in link requested',
  'event.sign-in-link-used': 'Sign-in link used in place of the password',
  'sign-in-link.offer': 'Email me a link to sign in',
  'sign-in-link.title': 'Sign in by email',
  'sign-in-link.lead':
    'We email you a link that signs you in without your password. Your second step stays as it is.',
  'sign-in-link.submit': 'Send the link',
  'sign-in-link.locked': 'Too many links were requested.',
  'sign-in-link.sent.title': 'Check your email',
  'sign-in-link.sent.text':
    'If an account has that address, an email with the link is on its way. Open it in this browser. It works once, for 15 minutes.',
  'sign-in-link.confirm.title': 'Sign in',
  'sign-in-link.confirm.who': 'You are signing in as',
  'sign-in-link.confirm.submit': 'Sign in',
  'sign-in-link.elsewhere.title': 'Open this link where you requested it',
  'sign-in-link.elsewhere.text':
    'A sign-in link works only in the browser that requested it last. Open it there, or request a new one here.',
  'sign-in-link.outdated.text': 'It has expired, it was used before, or the account has changed since.',
  'mail.sign-in-link.subject': 'Your link to sign in',
  'mail.sign-in-link.text':
    'Hello,\n\nSomeone requested a link to sign in to the account with this address. If it was you, open it in the same browser:\n\n{url}\n\nThe link works once, for 15 minutes. If it was not you, do nothing, and give the link to nobody.',
  'mail.sign-in-link-unknown.subject': 'There is no account with this address',
  'mail.sign-in-link-unknown.text':
    'Hello,\n\nSomeone requested a link to sign in to an account with this address. There is none. If it was you, try the other addresses that you use:\n\n{url}\n\nIf it was not you, do nothing. Nothing has changed.',
}

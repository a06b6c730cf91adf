/** The mails to addresses that may have no account: subject and text of each kind. */
export const mails = {
  'mail.confirm.subject': 'Confirm your address',
  'mail.confirm.text':
    'Hello,\n\nSomeone wants to create an account with this address. If it was you, open this link and choose your password:\n\n{url}\n\nThe link works once, for one hour. If it was not you, do nothing: without the link no account is created.',
  'mail.known.subject': 'You have an account already',
  'mail.known.text':
    'Hello,\n\nSomeone wants to create an account with this address. It has one already: sign in instead:\n\n{url}\n\nIf it was not you, do nothing. Nothing has changed.',
  'mail.known-disabled.subject': 'Your account is disabled',
  'mail.known-disabled.text':
    'Hello,\n\nSomeone wants to create an account with this address. It has one already, which an administrator disabled. Nobody can sign in to it.\n\nIf it was you, ask the administrator of the site. If it was not you, do nothing. Nothing has changed.',
}

/** Accounts that must have a second step and have none. */
export const mustEnroll = {
  'enrollment.required.lead':
    'Your account must have a second step. Scan the QR code with an authenticator app, then enter the code it shows.',
  'enrollment.cancelled-required':
    'Cancelled. Your account must have a second step: the next sign-in asks for it again.',
  'enrollment.cancelled-replacement': 'Cancelled. Your account still has its earlier second step.',
  'enrollment.mail.title': 'Check your email',
  'enrollment.mail.text':
    'Your password was right. Before a second step is set up, open the link that we sent to this address, in this browser:',
  'enrollment.mail.hint': 'The link works for 15 minutes.',
  'enrollment.mail.again': 'Send another link',
  'enrollment.mail.sent': 'Another link is on its way. The earlier one no longer works.',
  'enrollment.mail.locked': 'Too many links were sent.',
  'enrollment.confirm.title': 'Continue with the second step',
  'enrollment.confirm.who': 'You are setting up the second step of',
  'enrollment.confirm.submit': 'Continue',
  'enrollment.elsewhere.title': 'This link does not work here',
  'enrollment.elsewhere.text':
    'It has expired, or it belongs to another browser. Sign in here with your password, and we send you a new link.',
  'mail.enrollment.subject': 'Set up your second step',
  'mail.enrollment.text':
    'Hello,\n\nYour password was just entered, and a second step is to be set up for your account. If it was you, open this link in the same browser:\n\n{url}\n\nThe link works for 15 minutes. If it was not you, someone knows your password: do not open the link, and change your password.',
}

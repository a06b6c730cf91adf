/** Its texts in English. */
export const en = {
  'factor.mail': 'Code by email',
  'mail-code.title': 'Code by email',
  'mail-code.weaker':
    'Email codes are less secure than your other options. Protected actions will ask for another second step.',
  'mail-code.send': 'Send a code',
  'mail-code.again': 'Send another code',
  'mail-code.code': 'Eight-digit code',
  'mail-code.hint': 'Works once, for five minutes, for this sign-in only.',
  'mail-code.too-many': 'Too many codes were sent.',
  'notice.sign-in-code.subject': 'Your code for signing in',
  'notice.sign-in-code.text':
    'Your password was entered, and a code was asked for to sign in:\n\n{code}\n\nIt works once, for {minutes} minutes, and only in the browser that asked for it. Do not give it to anyone, and do not type it into any other site. If you did not ask for a code, someone knows your password.\n\nEmail codes are less secure than your other options.',
  'sessions.proven.mail': 'code by email',
  'event.mail-code-sent': 'Code sent by email',
  'event.mail-code-used': 'Code by email used',
  'event.mail-code-refused': 'Wrong code by email',
} as const

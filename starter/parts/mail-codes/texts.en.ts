/** Its texts in English. */
export const en = {
  'factor.mail': 'Code by e-mail',
  'mail-code.title': 'Code by e-mail',
  'mail-code.weaker':
    'This is weaker than your other second steps: anyone who reads your mails gets the code. Protected actions will ask for another second step.',
  'mail-code.send': 'Send a code',
  'mail-code.again': 'Send another code',
  'mail-code.code': 'Eight-digit code',
  'mail-code.hint': 'It works once, for five minutes, and only for this sign-in. The next code replaces it.',
  'mail-code.too-many': 'Too many codes were sent.',
  'notice.sign-in-code.subject': 'Your code for signing in',
  'notice.sign-in-code.text':
    'your password was entered, and a code was asked for to sign in:\n\n{code}\n\nIt works once, for {minutes} minutes, and only in the browser that asked for it. Do not give it to anyone, and do not type it into any other site. If you did not ask for a code, someone knows your password.\n\nThis is weaker than your other second steps: anyone who reads your mails gets the code.',
  'sessions.proven.mail': 'code by e-mail',
  'challenge.gone.mail': 'That authenticator is not there any more. Continue with a code by e-mail.',
  'admin.condition.mail-locked': 'Codes by mail paused',
  'event.mail-code-sent': 'Code sent by e-mail',
  'event.mail-code-used': 'Code by e-mail used',
  'event.mail-code-refused': 'Wrong code by e-mail',
} as const

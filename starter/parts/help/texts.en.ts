/** Its texts in English. */
export const en = {
  'help.title': 'Help',
  'help.all': 'All topics',
  'help.signing-in.title': 'How signing in works',
  'help.signing-in.1': 'Signing in has two steps. The first one is your password.',
  'help.signing-in.2':
    'The second step is a code of your authenticator app, a recovery code, or what else you have set up. You have five minutes for it.',
  'help.signing-in.3':
    'Each code works once. After too many wrong ones, codes are not checked for a quarter of an hour. Sessions that are open are not affected.',
  'help.lost-device.title': 'If your phone is gone',
  'help.lost-device.1':
    'Use one of the recovery codes that you kept when you set up the second step. Each works once. Then set up the app on your new phone. If no code and no other second step is left, choose “Lost access to your second step?” there: with your password, a link in an email and a waiting time of 72 hours or more, you set up a new one.',
  'help.lost-device.2':
    'A new password does not replace the second step: anyone who reads your email could ask for one, too.',
  'help.lost-device.3':
    'We never ask for a code by email or telephone. Anyone who does is trying to get into your account.',
}

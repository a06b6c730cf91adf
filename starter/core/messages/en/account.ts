/** The account page and the administration. */
export const account = {
  'account.title': 'Your account',
  'account.hello': 'Hello, {name}',
  'account.unfinished':
    "Someone entered your password but didn't complete the second step. If it wasn't you, change your password.",
  'account.permissions': 'Permissions',
  'account.factor': 'Second step',
  'account.factor.on': 'On',
  'account.factor.off': 'Off',
  'account.sessions': '{count, plural, one {Signed in on this device only} other {Signed in on # devices}}',
  'account.no-factor': 'You sign in with your password only.',
  'account.activity': 'Recent activity',
}

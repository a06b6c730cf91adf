/** The mails that tell the owner of an account what happened to it: subject and text of each kind. */
export const notices = {
  'notice.hello': 'Hello {name},',
  'notice.when': 'This happened on {at} UTC.',
  'notice.object-by-hand':
    'If this was you, there is nothing to do. If it was not you, sign in, sign out every session of your account and change your password.',
  'notice.new-sign-in.subject': 'New sign-in to your account',
  'notice.new-sign-in.text':
    'Someone signed in to your account from a network, or with a device, that was not used for it before.\n\nDevice: {device}\nFrom: {place}',
  'notice.factor-refused.subject': 'Your password was right, the second step was not',
  'notice.factor-refused.text':
    'Someone entered your password, and then the second step was wrong several times. Nobody was signed in, but someone may know your password.',
  'notice.factor-refused-by-link.subject': 'Your sign-in link was used, the second step was wrong',
  'notice.factor-refused-by-link.text':
    'Someone opened a sign-in link from your email, and then the second step was wrong several times. Nobody was signed in, but someone may be reading your email.',
  'notice.factor-added.subject': 'A second step was added to your account',
  'notice.factor-added.text':
    'A second step was added to your account: “{label}”. All other sessions were signed out.',
  'notice.factor-removed.subject': 'A second step was removed from your account',
  'notice.factor-removed.text':
    'A second step was removed from your account: “{label}”. All other sessions were signed out.',
  'notice.last-factor-removed.subject': 'Your account asks for the password only',
  'notice.last-factor-removed.text':
    'The last second step of your account was removed: “{label}”. From now on the password alone signs in, and the recovery codes are deleted. All other sessions were signed out.',
  'notice.factor-locked.subject': 'A second step of your account is locked',
  'notice.factor-locked.text':
    '{minutes, plural, one {Too many wrong codes were entered for a second step of your account: {factor}. It is not asked for # minute. Your other second steps work, unless they are locked, too. The person who entered the codes may know your password.} other {Too many wrong codes were entered for a second step of your account: {factor}. It is not asked for # minutes. Your other second steps work, unless they are locked, too. The person who entered the codes may know your password.}}',
  'notice.recovery-code-used.subject': 'A recovery code was used',
  'notice.recovery-code-used.text':
    'Someone entered your password and a recovery code of your account, to sign in or to confirm a change. {left, plural, =0 {No code is left.} one {One code is left.} other {# codes are left.}}',
  'notice.recovery-codes-renewed.subject': 'New recovery codes were created',
  'notice.recovery-codes-renewed.text':
    'New recovery codes were created for your account. The earlier ones no longer work, and all other sessions were signed out.',
  'notice.password-changed.subject': 'Your password was changed',
  'notice.password-changed.text':
    'The password of your account was changed. All other sessions were signed out.',
  'notice.password-reset.subject': 'Your password was reset',
  'notice.password-reset.text':
    'The password of your account was reset with a link from an email. All sessions were signed out. Your second step stays as it was.',
  'notice.sessions-ended.subject': 'Sessions of your account were signed out',
  'notice.sessions-ended.text':
    'Sessions of your account were signed out. To use your account on those devices again, sign in there.',
  'notice.ask': 'If you do not know why, ask the administrator of the site.',
}

/** Its texts in English. */
export const en = {
  'event.passkey-added': 'Passkey added',
  'event.passkey-used': 'Passkey used',
  'event.passkey-refused': 'Passkey refused',
  'event.passkey-backwards': 'Passkey counted backwards, it may be a copy',
  'notice.passkey-backwards.subject': 'A passkey of your account may have been copied',
  'notice.passkey-backwards.text':
    'A passkey of your account was used, and accepted: “{label}”. Its counter was not higher than at the last time, as happens when a second device has a copy of it. Some devices also count wrongly. If yours has not done this before, remove the passkey on the security page of your account, and add a new one.',
  'passkey.sign-in': 'Sign in with a passkey',
  'passkey.or': 'or with your password',
  'passkey.sign-in.refused': 'That passkey was not accepted. Try again, or sign in with your password.',
  'passkey.sign-in.unknown':
    'This site does not know that passkey. It may have been removed. Sign in with your password.',
  'passkey.title': 'Use your passkey',
  'passkey.hint':
    'Have your security key or device ready. The browser asks for it when you press the button.',
  'passkey.use': 'Use passkey',
  'passkey.wrong':
    '{triesLeft, plural, one {That passkey was not accepted. One attempt is left.} other {That passkey was not accepted. # attempts are left.}}',
  'passkey.cancelled': 'No passkey was used. Try again.',
  'passkey.exists': 'This passkey is registered already.',
  'passkey.failed': 'The browser could not use a passkey here.',
  'passkey.unsupported': 'This browser cannot use passkeys on this page.',
  'passkey.no-script': 'Passkeys need JavaScript, which is off in this browser.',
  'factor.passkey': 'Passkey or security key “{label}”',
  'passkeys.title': 'Passkeys and security keys',
  'passkeys.none': 'You have no passkey yet.',
  'passkeys.about': 'A passkey signs you in without a password or code, and no fake site can use it.',
  'passkeys.add': 'Add a passkey',
  'passkeys.resident.yes': 'Signs in without a password',
  'passkeys.resident.no': 'Second step only',
  'passkeys.resident.unknown': 'Passkey',
  'passkeys.name': 'Name',
  'passkeys.name.hint':
    'A name to recognize it by. Leave it empty to use the name of the authenticator, like “Apple Passwords” or “1Password”.',
  'passkeys.added': 'The passkey was added. All other sessions were signed out.',
  'passkeys.not-offered': 'Passkeys cannot be used at this address of the site.',
  'passkeys.refused.expired': 'That took too long. Try again.',
  'passkeys.refused.refused': 'The passkey could not be added. Try again.',
  'passkeys.refused.known': 'This passkey is registered already.',
  'passkeys.refused.count': 'You have 25 passkeys. Remove one that you no longer use before you add another.',
  'passkeys.refused.outdated': 'Nothing was added, because your password or second step changed. Try again.',
  'duty.reminder.passkey':
    'Your account must have a passkey. From {date} on, you must add one before you can sign in.',
  'duty.overdue.passkey': 'Your account must have a passkey. You must add one at your next sign-in.',
  'passkeys.enroll.lead':
    'Your account must have a passkey or security key: no fake site can use it, but a code can be typed into a fake site. You are signed in afterwards.',
  'step-up.passkey': 'Confirm with a passkey',
  'step-up.passkey-refused': 'The passkey was not accepted. Try again.',
  'step-up.passkey-only':
    'Your account confirms with a passkey. Its other second steps do not count: a code can be typed into a fake site.',
  'step-up.passkey-counts': 'Your passkey was accepted. Only your password is missing.',
  'sessions.proven.passkey': 'passkey',
}

/** Its texts in English. */
export const en = {
  'devices.trust':
    '{days, plural, one {Do not ask for the second step on this browser for # day} other {Do not ask for the second step on this browser for # days}}',
  'devices.trust.hint': 'Only on a device that nobody else uses.',
  'devices.title': 'Trusted browsers',
  'devices.about':
    'On these browsers your password is enough to sign in. Protected actions ask for the second step there, too. Remove a browser, and the next sign-in on it asks for the second step again.',
  'devices.none': 'Every sign-in asks for the second step. When you enter it, you can trust a browser.',
  'devices.this': 'This browser',
  'devices.trusted': 'Trusted:',
  'devices.ends': 'Until:',
  'devices.revoke': 'Remove',
  'devices.revoke-all': 'Remove all trusted browsers',
  'devices.revoked': 'The browser is no longer trusted.',
  'devices.all-revoked': 'No browser is trusted any more.',
  'devices.replayed':
    "Someone may have copied a trusted browser. We signed you out everywhere. If you didn't restore it from a backup, change your password.",
  'sessions.proven.device': 'trusted browser',
  'event.device-trusted': 'Browser trusted: no second step there',
  'event.device-replayed': 'Old key of a trusted browser used: signed out everywhere',
  'event.device-revoked': 'Trusted browser removed',
  'event.devices-revoked': 'All trusted browsers removed',
  'notice.device-trusted.subject': 'A browser was trusted for your account',
  'notice.device-trusted.text':
    'Someone signed in with your password and your second step, and trusted this browser: {device}. Until {until} UTC, your password is enough to sign in on it. The security page of your account lists all trusted browsers, and removes them.',
  'notice.device-replayed.subject': 'Someone may have copied a trusted browser of your account',
  'notice.device-replayed.text':
    'Someone signed in with your password and an old key of a trusted browser: {device}.\n\nWe removed all trusted browsers and signed you out everywhere: every sign-in asks for the second step again.\n\nIf you restored the browser from a backup, or sent the sign-in twice, there is nothing to do. Otherwise someone copied its data: change your password.',
}

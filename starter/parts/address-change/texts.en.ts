/** Its texts in English. */
export const en = {
  'step-up.action.address': 'Change your email address',
  'address.change': 'Change the address',
  'address.title': 'Change your email address',
  'address.lead': 'Current address:',
  'address.lead.link': "We'll email a link to the new address. Your address changes when you open it.",
  'address.new': 'New email address',
  'address.hint': "You'll sign in with it. We'll sign you out on all other devices.",
  'address.sent.title': 'Check the new mailbox',
  'address.sent.text': "If the address can be used, we've sent a link. It expires in 1 hour.",
  'address.confirm.title': 'Confirm the new address',
  'address.confirm.lead': "You're changing your email address to",
  'address.confirm.then':
    "You'll sign in with it from now on. We'll sign you out on other devices and email both addresses.",
  'address.confirm.submit': 'Use this address',
  'address.confirm.nothing': "If you didn't request this, close this page.",
  'address.done': 'Your address was changed. We signed you out on all other devices.',
  'address.done.elsewhere': 'The address was changed. Sign in with the new one.',
  'address.taken.title': 'This address already has an account',
  'address.taken.text': "Another account now uses this address, so yours wasn't changed.",
  'address.outdated.text': 'It expired, was already used, or your account has changed.',
  'address.restore.title': "Didn't change your address?",
  'address.restore.lead': 'Restore your previous address:',
  'address.restore.then': "We'll sign you out everywhere. Choose a new password afterwards.",
  'address.restore.submit': 'Restore my address',
  'address.restore.nothing': 'If it was you, close this page.',
  'address.restored':
    'Your address was restored, and we signed you out everywhere. The person who changed it may know your password: choose a new one now.',
  'address.not-restored.title': "We couldn't restore your address",
  'address.not-restored.text':
    "That address is now used by another account, so we couldn't restore it. We signed you out everywhere. Contact support.",
  'mail.address-confirm.subject': 'Confirm your new address',
  'mail.address-confirm.text':
    'Hello,\n\nThe owner of an account wants to use this address for it. If it was you, open this link:\n\n{url}\n\nThe link works once, for one hour. If it was not you, do nothing: without the link nothing changes.',
  'mail.address-known.subject': 'Your address stays with your account',
  'mail.address-known.text':
    'Hello,\n\nThe owner of another account wants to use this address. It belongs to your account, so nothing was changed.\n\nIf it was you, sign in with this address, or change it there first.',
  'mail.address-known-disabled.subject': 'Your address stays with your account',
  'mail.address-known-disabled.text':
    'Hello,\n\nThe owner of another account wants to use this address. It belongs to your account, so nothing was changed. An administrator disabled your account, and nobody can sign in to it.\n\nIf it was you, ask the administrator of the site. If it was not you, do nothing.',
  'mail.address-former.subject': 'The address of your account was changed',
  'mail.address-former.text':
    'Hello,\n\nThe account that had this address has another one now. Emails about it go there from now on.\n\nIf this was you, there is nothing to do. If it was not you, open this link. Behind it you bring this address back, sign out every session of your account and choose a new password:\n\n{url}\n\n{days, plural, one {The link works once, for # day.} other {The link works once, for # days.}}',
  'mail.address-dropped.subject': 'This address no longer has an account',
  'mail.address-dropped.text':
    'Hello,\n\nThe account that had this address has its former one again: its owner said that the change was not theirs. No more emails about it come here.',
  'notice.address-changed.subject': 'The address of your account was changed',
  'notice.address-changed.text':
    'Your account has this address now. You sign in with it, and emails about your account go here. All other sessions were signed out.',
  'notice.address-restored.subject': 'Your address was restored',
  'notice.address-restored.text':
    'Your account has this address again. Every session was signed out. The person who changed the address may know your password: choose a new one.',
  'event.address-change-requested': 'Address change requested',
  'event.address-changed': 'Address changed',
  'event.address-restored': 'Previous address restored, signed out everywhere',
}

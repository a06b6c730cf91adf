/** Its texts in English. */
export const en = {
  'step-up.action.address': 'Change your e-mail address',
  'address.change': 'Change the address',
  'address.title': 'Change your address',
  'address.lead': 'Your present address is',
  'address.lead.link': 'We send a link to the new one. Until you use it, nothing changes.',
  'address.new': 'New e-mail address',
  'address.hint': 'You sign in with it from then on. All other sessions are signed out.',
  'address.sent.title': 'Check the new mailbox',
  'address.sent.text':
    'If you asked for a link and the new address can be used, a mail with the link is on its way to it. It works once, for one hour.',
  'address.confirm.title': 'Confirm the new address',
  'address.confirm.lead': 'An account on this site is about to get the address',
  'address.confirm.then':
    'From then on its owner signs in with this address. Every session but the one in this browser ends, and both addresses get a mail.',
  'address.confirm.submit': 'Use this address',
  'address.confirm.nothing': 'If you did not ask for this, close this page. Nothing has changed.',
  'address.done': 'Your address was changed. All other sessions were signed out.',
  'address.done.elsewhere':
    'The address of the account was changed. Sign in with the new one: password and second step are what they were.',
  'address.taken.title': 'This address already has an account',
  'address.taken.text':
    'Another account took this address while your link was on its way. Yours keeps its present one. Nothing has changed.',
  'address.outdated.text':
    'It has expired, it was used before, or the credentials of the account have changed since. It does nothing now.',
  'address.restore.title': 'Was the change not yours?',
  'address.restore.lead': 'Then bring your former address back now:',
  'address.restore.then':
    'Every session of your account ends. Choose a new password afterwards. Your second step stays as it is.',
  'address.restore.submit': 'Bring the address back',
  'address.restore.nothing': 'If it was you after all, close this page. Nothing has changed.',
  'address.restored':
    'Your former address was brought back, and every session of your account has ended. The person who changed it may know your password: choose a new one now.',
  'address.not-restored.title': 'The address could not be brought back',
  'address.not-restored.text':
    'It belongs to another account by now. Every session of your account has ended, and the account keeps its present address. Ask the operators of this site for help.',
  'mail.address-confirm.subject': 'Confirm your new address',
  'mail.address-confirm.text':
    'Hello,\n\nthe owner of an account wants to use this address for it. If it was you, open this link:\n\n{url}\n\nThe link works once, for one hour. If it was not you, do nothing: without the link nothing changes.',
  'mail.address-known.subject': 'Your address stays with your account',
  'mail.address-known.text':
    'Hello,\n\nthe owner of another account wants to use this address. It belongs to your account, so nothing was changed.\n\nIf it was you, sign in with this address, or change it there first.',
  'mail.address-known-disabled.subject': 'Your address stays with your account',
  'mail.address-known-disabled.text':
    'Hello,\n\nthe owner of another account wants to use this address. It belongs to your account, so nothing was changed. An administrator disabled your account, and nobody can sign in to it.\n\nIf it was you, ask the administrator of the site. If it was not you, do nothing.',
  'mail.address-former.subject': 'The address of your account was changed',
  'mail.address-former.text':
    'Hello,\n\nthe account that had this address has another one now. Mails about it go there from now on.\n\nIf this was you, there is nothing to do. If it was not you, open this link. Behind it you bring this address back, sign out every session of your account and choose a new password:\n\n{url}\n\n{days, plural, one {The link works once, for # day.} other {The link works once, for # days.}}',
  'mail.address-dropped.subject': 'This address no longer has an account',
  'mail.address-dropped.text':
    'Hello,\n\nthe account that had this address has its former one again: its owner said that the change was not theirs. No more mails about it come here.',
  'notice.address-changed.subject': 'The address of your account was changed',
  'notice.address-changed.text':
    'your account has this address now. You sign in with it, and mails about your account go here. All other sessions were signed out.',
  'notice.address-restored.subject': 'Your former address is back',
  'notice.address-restored.text':
    'your account has this address again. Every session was signed out. The person who changed the address may know your password: choose a new one.',
  'event.address-change-requested': 'Link to change the address asked for',
  'event.address-changed': 'Address changed',
  'event.address-restored': 'Former address brought back by the link in a mail, all sessions ended',
}

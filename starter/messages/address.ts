import type { Texts } from './language.ts'

const en = {
  'step-up.action.address': 'Change your e-mail address',
  'address.change': 'Change the address',
  'address.title': 'Change your address',
  'address.lead': 'Your present address is',
  'address.lead.link': 'We send a link to the new one. Until you use it, nothing changes.',
  'address.new': 'New e-mail address',
  'address.hint': 'You sign in with it from then on. All other sessions are signed out.',
  'address.sent.title': 'Check the new mailbox',
  'address.sent.text':
    'If that address can be used, a mail with a link is on its way to it. The link works once, for one hour.',
  'address.confirm.title': 'Confirm the new address',
  'address.confirm.lead': 'An account on this site is about to get the address',
  'address.confirm.then':
    'From then on its owner signs in with this address. Every session but the one in this browser ends, and both addresses get a mail.',
  'address.confirm.submit': 'Use this address',
  'address.confirm.nothing': 'If you did not ask for this, close this page. Nothing has changed.',
  'address.done': 'Your address was changed. All other sessions were signed out.',
  'address.done.title': 'The address was changed',
  'address.done.text': 'Sign in with the new address. Your password and your second step were not changed.',
  'address.taken.title': 'This address already has an account',
  'address.taken.text':
    'Another account took this address while your link was on its way. Yours keeps its present one. Nothing has changed.',
  'address.outdated.text':
    'It has expired, it was used before, or the credentials of the account have changed since. It does nothing now.',
  'address.outdated.look': 'Sign in to see which address your account has.',
  'address.restore.title': 'Was the change not yours?',
  'address.restore.lead': 'Then bring your former address back now:',
  'address.restore.then':
    'Every session of your account ends. Choose a new password afterwards. Your second step stays as it is.',
  'address.restore.submit': 'Bring the address back',
  'address.restored.title': 'Your former address was brought back',
  'address.restored.text':
    'Every session of your account was ended. The person who changed the address may know your password: choose a new one now.',
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
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'step-up.action.address': 'Ihre E-Mail-Adresse ändern',
  'address.change': 'Adresse ändern',
  'address.title': 'Ihre Adresse ändern',
  'address.lead': 'Ihre jetzige Adresse ist',
  'address.lead.link': 'Wir senden einen Link an die neue Adresse. Bis Sie ihn benutzen, ändert sich nichts.',
  'address.new': 'Neue E-Mail-Adresse',
  'address.hint': 'Künftig melden Sie sich damit an. Alle anderen Sitzungen werden abgemeldet.',
  'address.sent.title': 'Sehen Sie im neuen Postfach nach',
  'address.sent.text':
    'Wenn diese Adresse verwendet werden kann, ist eine Mail mit einem Link dorthin unterwegs. Der Link gilt einmal, eine Stunde lang.',
  'address.confirm.title': 'Neue Adresse bestätigen',
  'address.confirm.lead': 'Ein Konto auf dieser Seite bekommt damit diese Adresse:',
  'address.confirm.then':
    'Von da an meldet sich sein Inhaber mit dieser Adresse an. Alle Sitzungen außer der in diesem Browser enden, und beide Adressen bekommen eine Mail.',
  'address.confirm.submit': 'Diese Adresse verwenden',
  'address.confirm.nothing':
    'Wenn Sie das nicht wollten, schließen Sie diese Seite. Es hat sich nichts geändert.',
  'address.done': 'Ihre Adresse wurde geändert. Alle anderen Sitzungen wurden abgemeldet.',
  'address.done.title': 'Die Adresse wurde geändert',
  'address.done.text':
    'Melden Sie sich mit der neuen Adresse an. Ihr Passwort und Ihr zweiter Schritt wurden nicht geändert.',
  'address.taken.title': 'Zu dieser Adresse gibt es schon ein Konto',
  'address.taken.text':
    'Ein anderes Konto hat diese Adresse bekommen, während Ihr Link unterwegs war. Ihr Konto behält seine jetzige Adresse. Es hat sich nichts geändert.',
  'address.outdated.text':
    'Er ist abgelaufen, wurde schon benutzt, oder die Zugangsdaten des Kontos haben sich seither geändert. Er bewirkt nichts mehr.',
  'address.outdated.look': 'Melden Sie sich an, um zu sehen, welche Adresse Ihr Konto hat.',
  'address.restore.title': 'Haben Sie die Adresse nicht selbst geändert?',
  'address.restore.lead': 'Dann holen Sie jetzt Ihre frühere Adresse zurück:',
  'address.restore.then':
    'Alle Sitzungen Ihres Kontos enden. Wählen Sie danach ein neues Passwort. Ihr zweiter Schritt bleibt, wie er ist.',
  'address.restore.submit': 'Adresse zurückholen',
  'address.restored.title': 'Ihre frühere Adresse wurde zurückgeholt',
  'address.restored.text':
    'Alle Sitzungen Ihres Kontos wurden beendet. Wer die Adresse geändert hat, kennt vielleicht Ihr Passwort: Wählen Sie jetzt ein neues.',
  'address.not-restored.title': 'Die Adresse ließ sich nicht zurückholen',
  'address.not-restored.text':
    'Inzwischen gehört sie zu einem anderen Konto. Alle Sitzungen Ihres Kontos wurden beendet; es behält seine jetzige Adresse. Bitten Sie die Betreiber dieser Seite um Hilfe.',
  'mail.address-confirm.subject': 'Bestätigen Sie Ihre neue Adresse',
  'mail.address-confirm.text':
    'Guten Tag,\n\nder Inhaber eines Kontos möchte dafür diese Adresse verwenden. Wenn Sie das waren, öffnen Sie diesen Link:\n\n{url}\n\nDer Link gilt einmal, eine Stunde lang. Wenn Sie das nicht waren, tun Sie nichts: Ohne den Link ändert sich nichts.',
  'mail.address-known.subject': 'Ihre Adresse bleibt bei Ihrem Konto',
  'mail.address-known.text':
    'Guten Tag,\n\nder Inhaber eines anderen Kontos möchte diese Adresse verwenden. Sie gehört zu Ihrem Konto, deshalb wurde nichts geändert.\n\nWenn Sie das waren, melden Sie sich mit dieser Adresse an, oder ändern Sie sie dort zuerst.',
  'mail.address-known-disabled.subject': 'Ihre Adresse bleibt bei Ihrem Konto',
  'mail.address-known-disabled.text':
    'Guten Tag,\n\nder Inhaber eines anderen Kontos möchte diese Adresse verwenden. Sie gehört zu Ihrem Konto, deshalb wurde nichts geändert. Die Verwaltung hat Ihr Konto gesperrt, und niemand kann sich damit anmelden.\n\nWenn Sie das waren, fragen Sie die Verwaltung der Seite. Wenn Sie das nicht waren, tun Sie nichts.',
  'mail.address-former.subject': 'Die Adresse Ihres Kontos wurde geändert',
  'mail.address-former.text':
    'Guten Tag,\n\ndas Konto mit dieser Adresse hat jetzt eine andere. Mails zu diesem Konto gehen künftig dorthin.\n\nWenn Sie das waren, ist nichts zu tun. Wenn Sie das nicht waren, öffnen Sie diesen Link. Dort holen Sie diese Adresse zurück, melden alle Sitzungen Ihres Kontos ab und wählen ein neues Passwort:\n\n{url}\n\n{days, plural, one {Der Link gilt einmal, # Tag lang.} other {Der Link gilt einmal, # Tage lang.}}',
  'mail.address-dropped.subject': 'Zu dieser Adresse gehört kein Konto mehr',
  'mail.address-dropped.text':
    'Guten Tag,\n\ndas Konto mit dieser Adresse hat wieder seine frühere: Sein Inhaber hat angegeben, dass die Änderung nicht von ihm kam. Hierher kommen keine Mails mehr zu diesem Konto.',
  'notice.address-changed.subject': 'Die Adresse Ihres Kontos wurde geändert',
  'notice.address-changed.text':
    'Ihr Konto hat jetzt diese Adresse. Sie melden sich damit an, und Mails zu Ihrem Konto kommen hierher. Alle anderen Sitzungen wurden abgemeldet.',
  'notice.address-restored.subject': 'Ihre frühere Adresse ist zurück',
  'notice.address-restored.text':
    'Ihr Konto hat wieder diese Adresse. Alle Sitzungen wurden abgemeldet. Wer die Adresse geändert hat, kennt vielleicht Ihr Passwort: Wählen Sie ein neues.',
}

/** The change of an address: pages, mails and notices. */
export const address: Texts<keyof typeof en> = { en, de }

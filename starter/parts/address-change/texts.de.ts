import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'step-up.action.address': 'Ihre E-Mail-Adresse ändern',
  'address.change': 'Adresse ändern',
  'address.title': 'Ihre Adresse ändern',
  'address.lead': 'Ihre jetzige Adresse ist',
  'address.lead.link': 'Wir senden einen Link an die neue Adresse. Bis Sie ihn benutzen, ändert sich nichts.',
  'address.new': 'Neue E-Mail-Adresse',
  'address.hint': 'Künftig melden Sie sich damit an. Alle anderen Sitzungen werden abgemeldet.',
  'address.sent.title': 'Sehen Sie im neuen Postfach nach',
  'address.sent.text':
    'Wenn Sie einen Link angefordert haben und die neue Adresse verwendet werden kann, ist eine Mail damit dorthin unterwegs. Er gilt einmal, eine Stunde lang.',
  'address.confirm.title': 'Neue Adresse bestätigen',
  'address.confirm.lead': 'Ein Konto auf dieser Seite bekommt damit diese Adresse:',
  'address.confirm.then':
    'Von da an meldet sich sein Inhaber mit dieser Adresse an. Alle Sitzungen außer der in diesem Browser enden, und beide Adressen bekommen eine Mail.',
  'address.confirm.submit': 'Diese Adresse verwenden',
  'address.confirm.nothing':
    'Wenn Sie das nicht wollten, schließen Sie diese Seite. Es hat sich nichts geändert.',
  'address.done': 'Ihre Adresse wurde geändert. Alle anderen Sitzungen wurden abgemeldet.',
  'address.done.elsewhere':
    'Die Adresse des Kontos wurde geändert. Melden Sie sich mit der neuen an: Passwort und zweiter Schritt sind, was sie waren.',
  'address.taken.title': 'Zu dieser Adresse gibt es schon ein Konto',
  'address.taken.text':
    'Ein anderes Konto hat diese Adresse bekommen, während Ihr Link unterwegs war. Ihr Konto behält seine jetzige Adresse. Es hat sich nichts geändert.',
  'address.outdated.text':
    'Er ist abgelaufen, wurde schon benutzt, oder die Zugangsdaten des Kontos haben sich seither geändert. Er bewirkt nichts mehr.',
  'address.restore.title': 'Haben Sie die Adresse nicht selbst geändert?',
  'address.restore.lead': 'Dann holen Sie jetzt Ihre frühere Adresse zurück:',
  'address.restore.then':
    'Alle Sitzungen Ihres Kontos enden. Wählen Sie danach ein neues Passwort. Ihr zweiter Schritt bleibt, wie er ist.',
  'address.restore.submit': 'Adresse zurückholen',
  'address.restore.nothing':
    'Wenn Sie es doch waren, schließen Sie diese Seite. Es hat sich nichts geändert.',
  'address.restored':
    'Ihre frühere Adresse wurde zurückgeholt, und alle Sitzungen Ihres Kontos sind beendet. Wer sie geändert hat, kennt vielleicht Ihr Passwort: Wählen Sie jetzt ein neues.',
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
  'event.address-change-requested': 'Link zum Ändern der Adresse angefordert',
  'event.address-changed': 'Adresse geändert',
  'event.address-restored':
    'Frühere Adresse über den Link in einer Mail zurückgeholt, alle Sitzungen beendet',
}

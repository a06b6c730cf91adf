import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'step-up.action.address': 'Ihre E-Mail-Adresse ändern',
  'address.change': 'Adresse ändern',
  'address.title': 'Ihre E-Mail-Adresse ändern',
  'address.lead': 'Jetzige Adresse:',
  'address.lead.link':
    'Wir senden einen Link an die neue Adresse. Ihre Adresse ändert sich, wenn Sie ihn öffnen.',
  'address.new': 'Neue E-Mail-Adresse',
  'address.hint': 'Künftig melden Sie sich damit an. Auf allen anderen Geräten werden Sie abgemeldet.',
  'address.sent.title': 'Sehen Sie im neuen Postfach nach',
  'address.sent.text':
    'Wenn die Adresse verwendet werden kann, haben wir einen Link gesendet. Er gilt eine Stunde.',
  'address.confirm.title': 'Neue Adresse bestätigen',
  'address.confirm.lead': 'Sie ändern Ihre E-Mail-Adresse in',
  'address.confirm.then':
    'Von jetzt an melden Sie sich damit an. Auf anderen Geräten werden Sie abgemeldet, und beide Adressen bekommen eine E-Mail.',
  'address.confirm.submit': 'Diese Adresse verwenden',
  'address.confirm.nothing': 'Wenn Sie das nicht wollten, schließen Sie diese Seite.',
  'address.done': 'Ihre Adresse wurde geändert. Auf allen anderen Geräten wurden Sie abgemeldet.',
  'address.done.elsewhere': 'Die Adresse wurde geändert. Melden Sie sich mit der neuen an.',
  'address.taken.title': 'Zu dieser Adresse gibt es schon ein Konto',
  'address.taken.text': 'Ein anderes Konto benutzt jetzt diese Adresse, deshalb wurde Ihre nicht geändert.',
  'address.outdated.text': 'Er ist abgelaufen, wurde schon benutzt, oder Ihr Konto hat sich geändert.',
  'address.restore.title': 'Haben Sie die Adresse nicht geändert?',
  'address.restore.lead': 'Stellen Sie Ihre frühere Adresse wieder her:',
  'address.restore.then': 'Sie werden überall abgemeldet. Wählen Sie danach ein neues Passwort.',
  'address.restore.submit': 'Meine Adresse wiederherstellen',
  'address.restore.nothing': 'Wenn Sie es waren, schließen Sie diese Seite.',
  'address.restored':
    'Ihre Adresse wurde wiederhergestellt, und Sie wurden überall abgemeldet. Wer sie geändert hat, kennt vielleicht Ihr Passwort: Wählen Sie jetzt ein neues.',
  'address.not-restored.title': 'Ihre Adresse konnte nicht wiederhergestellt werden',
  'address.not-restored.text':
    'Diese Adresse gehört jetzt zu einem anderen Konto und ließ sich nicht wiederherstellen. Sie wurden überall abgemeldet. Wenden Sie sich an die Betreiber dieser Seite.',
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
  'notice.address-restored.subject': 'Ihre Adresse wurde wiederhergestellt',
  'notice.address-restored.text':
    'Ihr Konto hat wieder diese Adresse. Alle Sitzungen wurden abgemeldet. Wer die Adresse geändert hat, kennt vielleicht Ihr Passwort: Wählen Sie ein neues.',
  'event.address-change-requested': 'Adressänderung angefordert',
  'event.address-changed': 'Adresse geändert',
  'event.address-restored': 'Frühere Adresse wiederhergestellt, überall abgemeldet',
}

import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'step-up.action.delete-account': 'Ihr Konto löschen',
  'deletion.title': 'Ihr Konto löschen',
  'deletion.lead':
    'Sie werden sofort überall abgemeldet, und Programme mit einem Token von Ihnen werden abgewiesen. Nach {days} Tagen wird das Konto gelöscht. Bis dahin können Sie es behalten: Melden Sie sich an, oder benutzen Sie den Link in der Mail, die wir Ihnen senden.',
  'deletion.gone':
    'Gelöscht werden Ihr Name, Ihre Adresse, Ihr Passwort, alle zweiten Schritte, alle Tokens und was wir über Ihre Geräte wissen. Das Protokoll der Ereignisse bleibt, solange die Betreiber es aufbewahren: was wann geschah und von welcher Netzadresse aus, ohne Ihren Namen und Ihre E-Mail-Adresse.',
  'deletion.typed': 'E-Mail-Adresse dieses Kontos',
  'deletion.typed.hint': 'Damit das nicht aus Versehen geschieht, geben Sie ein:',
  'deletion.submit': 'Mein Konto löschen',
  'deletion.asked':
    'Sie sind überall abgemeldet, und Ihr Konto wird nach der Wartezeit gelöscht. Melden Sie sich vorher an, wenn Sie es behalten möchten.',
  'deletion.stop.title': 'Konto behalten?',
  'deletion.stop.lead': 'Ihr Konto wird nach diesem Zeitpunkt gelöscht:',
  'deletion.stop.submit': 'Mein Konto behalten',
  'deletion.stop.nothing':
    'Wenn Sie es löschen möchten, schließen Sie diese Seite. Wenn Sie das nicht wollten, behalten Sie das Konto und wählen Sie ein neues Passwort.',
  'deletion.stopped':
    'Die Löschung wurde gestoppt: Das Konto bleibt bestehen. Wenn nicht Sie es löschen wollten, wählen Sie jetzt ein neues Passwort.',
  'deletion.stopped-by-sign-in':
    'Ihr Konto sollte gelöscht werden. Es bleibt bestehen, weil Sie sich angemeldet haben.',
  'deletion.outdated.text': 'Das Konto bleibt schon bestehen, oder es wurde gelöscht.',
  'mail.deletion-requested.subject': 'Ihr Konto wird gelöscht',
  'mail.deletion-requested.text':
    'Guten Tag,\n\njemand, der bei Ihrem Konto angemeldet war, möchte es löschen. Alle seine Sitzungen wurden beendet, und nach diesem Zeitpunkt wird es gelöscht:\n\n{at}\n\nBis dahin bleibt es, wenn Sie sich anmelden oder diesen Link benutzen:\n\n{url}\n\nWenn Sie das nicht waren, öffnen Sie den Link und wählen Sie ein neues Passwort.',
  'mail.deletion-done.subject': 'Ihr Konto wurde gelöscht',
  'mail.deletion-done.text':
    'Guten Tag,\n\ndas Konto mit dieser Adresse wurde gelöscht, wie sein Inhaber es wollte. Das ist die letzte Mail dazu. Mit dieser Adresse können Sie jederzeit ein neues Konto anlegen.',
  'notice.deletion-stopped.subject': 'Ihr Konto bleibt bestehen',
  'notice.deletion-stopped.text':
    'Ihr Konto sollte gelöscht werden. Es bleibt bestehen, weil sich jemand angemeldet oder den Link in der Mail benutzt hat.',
  'deletion.link': 'Konto löschen',
  'deletion.link.hint': 'Es wird nicht sofort gelöscht: Sie können es sich noch anders überlegen.',
  'event.deletion-requested': 'Löschung des Kontos beantragt, alle Sitzungen beendet',
  'event.deletion-stopped': 'Löschung des Kontos gestoppt',
  'event.account-erased': 'Konto gelöscht',
}

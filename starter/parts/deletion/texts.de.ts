import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'step-up.action.delete-account': 'Ihr Konto löschen',
  'deletion.title': 'Ihr Konto löschen',
  'deletion.lead':
    'Sie werden jetzt überall abgemeldet, Ihre API-Tokens gelten nicht mehr, und in {days} Tagen wird das Konto gelöscht. Melden Sie sich vorher an, wenn Sie es behalten möchten.',
  'deletion.gone':
    'Gelöscht werden Name, Adresse, Passwort, zweite Schritte, Tokens und Geräte. Das Protokoll bleibt, ohne Ihren Namen und Ihre Adresse.',
  'deletion.typed': 'E-Mail-Adresse dieses Kontos',
  'deletion.typed.hint': 'Geben Sie zur Bestätigung ein:',
  'deletion.submit': 'Mein Konto löschen',
  'deletion.asked':
    'Sie wurden überall abgemeldet. Melden Sie sich an, um Ihr Konto zu behalten; sonst wird es gelöscht.',
  'deletion.stop.title': 'Konto behalten?',
  'deletion.stop.lead': 'Ihr Konto wird gelöscht nach',
  'deletion.stop.submit': 'Mein Konto behalten',
  'deletion.stop.nothing':
    'Wenn Sie es löschen möchten, schließen Sie diese Seite. Wenn Sie das nicht wollten, behalten Sie es und wählen Sie ein neues Passwort.',
  'deletion.stopped':
    'Ihr Konto bleibt bestehen. Wenn Sie es nicht löschen wollten, wählen Sie jetzt ein neues Passwort.',
  'deletion.stopped-by-sign-in': 'Sie haben sich angemeldet, Ihr Konto bleibt also bestehen.',
  'deletion.outdated.text': 'Das Konto bleibt schon bestehen, oder es wurde gelöscht.',
  'mail.deletion-requested.subject': 'Ihr Konto wird gelöscht',
  'mail.deletion-requested.text':
    'Guten Tag,\n\njemand, der bei Ihrem Konto angemeldet war, möchte es löschen. Es wurde überall abgemeldet, und nach diesem Zeitpunkt wird es gelöscht:\n\n{at}\n\nBis dahin bleibt es, wenn Sie sich anmelden oder diesen Link benutzen:\n\n{url}\n\nWenn Sie das nicht waren, öffnen Sie den Link und wählen Sie ein neues Passwort.',
  'mail.deletion-done.subject': 'Ihr Konto wurde gelöscht',
  'mail.deletion-done.text':
    'Guten Tag,\n\ndas Konto mit dieser Adresse wurde gelöscht, wie sein Inhaber es wollte. Das ist die letzte Mail dazu. Mit dieser Adresse können Sie jederzeit ein neues Konto anlegen.',
  'notice.deletion-stopped.subject': 'Ihr Konto bleibt bestehen',
  'notice.deletion-stopped.text':
    'Ihr Konto sollte gelöscht werden. Es bleibt bestehen, weil sich jemand angemeldet oder den Link in der Mail benutzt hat.',
  'deletion.link': 'Konto löschen',
  'deletion.link.hint': 'Sie können es sich noch anders überlegen.',
  'event.deletion-requested': 'Löschung des Kontos beantragt, überall abgemeldet',
  'event.deletion-stopped': 'Löschung des Kontos gestoppt',
  'event.account-erased': 'Konto gelöscht',
}

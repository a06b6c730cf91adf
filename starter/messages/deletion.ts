import type { Texts } from './language.ts'

const en = {
  'step-up.action.delete-account': 'Delete your account',
  'deletion.title': 'Delete your account',
  'deletion.lead':
    'You are signed out everywhere at once, and programs with a token of yours are refused. After {days} days the account is erased. Until then you can keep it: sign in, or use the link in the mail that we send you.',
  'deletion.gone':
    'We erase your name, your address, your password, every second step, every token and what we know about your devices. The record of events stays for as long as the operators keep it: what happened when, and from which network address, without your name or your e-mail address.',
  'deletion.export': 'You can take the record of your account with you first, as a file:',
  'deletion.typed': 'E-mail address of this account',
  'deletion.typed.hint': 'So that nobody does this by mistake, type',
  'deletion.submit': 'Delete my account',
  'deletion.asked':
    'You are signed out everywhere, and your account will be erased after the waiting time. Sign in before then to keep it.',
  'deletion.stop.title': 'Keep the account?',
  'deletion.stop.lead': 'Your account will be erased after this time:',
  'deletion.stop.submit': 'Keep my account',
  'deletion.stop.nothing':
    'If you want it erased, close this page. If you did not ask for that, keep the account and choose a new password.',
  'deletion.stopped':
    'The deletion was stopped: the account stays. If it was not you who asked for it, choose a new password now.',
  'deletion.stopped-by-sign-in': 'Your account was about to be erased. It stays, because you have signed in.',
  'deletion.outdated.text': 'The account stays already, or it was erased.',
  'mail.deletion-requested.subject': 'Your account will be erased',
  'mail.deletion-requested.text':
    'Hello,\n\nsomeone who was signed in to your account asked to delete it. All its sessions have ended, and it will be erased after this time:\n\n{at}\n\nUntil then, signing in keeps it, and so does this link:\n\n{url}\n\nIf it was not you, open the link and choose a new password.',
  'mail.deletion-done.subject': 'Your account was erased',
  'mail.deletion-done.text':
    'Hello,\n\nthe account with this address was erased, as its owner asked. This is the last mail to it. You can create a new account with this address at any time.',
  'notice.deletion-stopped.subject': 'Your account stays',
  'notice.deletion-stopped.text':
    'your account was about to be erased. It stays, because someone signed in to it or used the link in the mail.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'step-up.action.delete-account': 'Ihr Konto löschen',
  'deletion.title': 'Ihr Konto löschen',
  'deletion.lead':
    'Sie werden sofort überall abgemeldet, und Programme mit einem Token von Ihnen werden abgewiesen. Nach {days} Tagen wird das Konto gelöscht. Bis dahin können Sie es behalten: Melden Sie sich an, oder benutzen Sie den Link in der Mail, die wir Ihnen senden.',
  'deletion.gone':
    'Gelöscht werden Ihr Name, Ihre Adresse, Ihr Passwort, alle zweiten Schritte, alle Tokens und was wir über Ihre Geräte wissen. Das Protokoll der Ereignisse bleibt, solange die Betreiber es aufbewahren: was wann geschah und von welcher Netzadresse aus, ohne Ihren Namen und Ihre E-Mail-Adresse.',
  'deletion.export': 'Vorher können Sie das Protokoll Ihres Kontos als Datei mitnehmen:',
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
}

/** The deletion of an account: pages, mails and notices. */
export const deletion: Texts<keyof typeof en> = { en, de }

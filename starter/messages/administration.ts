import type { Texts } from './language.ts'

const en = {
  'event.set-up-link-made': 'Set-up link made',
  'event.account-set-up': 'Password chosen behind the set-up link',
  'event.account-disabled': 'Account disabled',
  'event.account-enabled': 'Account enabled',
  'event.account-sessions-ended': 'All sessions ended',
  'event.all-sessions-ended': 'Sessions of all accounts ended',
  'event.permission-granted': 'Permission granted',
  'event.permission-withdrawn': 'Permission withdrawn',
  'event.factor-reset-requested': 'Reset of the second step requested',
  'event.factor-reset-cancelled': 'Reset of the second step cancelled',
  'event.factors-reset': 'Second step reset',
  'event.factor-key-rotated': 'Secrets sealed with the new key',
  'events.by-administration': 'by the administration',
  'set-up.lead': 'Hello, {name}. An account was added for you with the address',
  'set-up.submit': 'Choose this password',
  'set-up.outdated': 'Ask the person who gave it to you for another one.',
  'mail.set-up.subject': 'Your account is ready to be set up',
  'mail.set-up.text':
    'Hello {name},\n\nan account was added for you. Open this link, choose your password and set up the second door:\n\n{url}\n\nThe link works once, for 24 hours. Nobody else knows or chooses your password.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'event.set-up-link-made': 'Einrichtungslink erzeugt',
  'event.account-set-up': 'Passwort hinter dem Einrichtungslink gewählt',
  'event.account-disabled': 'Konto gesperrt',
  'event.account-enabled': 'Konto freigegeben',
  'event.account-sessions-ended': 'Alle Sitzungen beendet',
  'event.all-sessions-ended': 'Sitzungen aller Konten beendet',
  'event.permission-granted': 'Recht erteilt',
  'event.permission-withdrawn': 'Recht entzogen',
  'event.factor-reset-requested': 'Zurücksetzen des zweiten Schritts beantragt',
  'event.factor-reset-cancelled': 'Zurücksetzen des zweiten Schritts verworfen',
  'event.factors-reset': 'Zweiter Schritt zurückgesetzt',
  'event.factor-key-rotated': 'Geheimnisse mit dem neuen Schlüssel versiegelt',
  'events.by-administration': 'durch die Verwaltung',
  'set-up.lead': 'Guten Tag, {name}. Für Sie wurde ein Konto angelegt mit der Adresse',
  'set-up.submit': 'Dieses Passwort wählen',
  'set-up.outdated': 'Bitten Sie die Person um einen neuen, die ihn Ihnen gegeben hat.',
  'mail.set-up.subject': 'Ihr Konto kann eingerichtet werden',
  'mail.set-up.text':
    'Guten Tag {name},\n\nfür Sie wurde ein Konto angelegt. Öffnen Sie diesen Link, wählen Sie Ihr Passwort und richten Sie die zweite Tür ein:\n\n{url}\n\nDer Link gilt einmal, 24 Stunden lang. Niemand sonst kennt oder wählt Ihr Passwort.',
}

/** The administration, and the set-up of accounts that it adds. */
export const administration: Texts<keyof typeof en> = { en, de }

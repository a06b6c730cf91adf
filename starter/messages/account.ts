import type { Texts } from './language.ts'

const en = {
  'account.title': 'Your account',
  'account.hello': 'Hello, {name}',
  'account.signed-in': 'You are signed in.',
  'account.signed-in-twice': 'Both doors are behind you: you are signed in.',
  'account.unfinished':
    'Someone entered the right password of this account and never finished signing in. If it was not you, change your password.',
  'account.name': 'Name',
  'account.email': 'E-mail address',
  'account.permissions': 'Permissions',
  'account.no-permissions': 'None',
  'account.factor': 'Second step',
  'account.factor.name': 'Name',
  'account.factor.used': 'Last used',
  'account.no-factor': 'Signing in to this account takes the password only.',
  'account.activity': 'Recent activity',
  'account.activity.hint': 'What happened on this account, day by day, and from where.',
  'admin.title': 'Administration',
  'admin.lead': 'You see this page because your account holds the permission',
  'admin.accounts': 'Accounts',
  'admin.disabled': 'Disabled',
  'admin.with-factor': 'Password and second step',
  'admin.without-factor': 'Password only',
  'admin.trail': 'Audit trail',
  'admin.trail.hint':
    'What happened, day by day. The database refuses to change an entry, or to delete one within 90 days.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'account.title': 'Ihr Konto',
  'account.hello': 'Hallo {name}',
  'account.signed-in': 'Sie sind angemeldet.',
  'account.signed-in-twice': 'Beide Türen liegen hinter Ihnen: Sie sind angemeldet.',
  'account.unfinished':
    'Jemand hat das richtige Passwort dieses Kontos eingegeben und die Anmeldung nicht abgeschlossen. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.',
  'account.name': 'Name',
  'account.email': 'E-Mail-Adresse',
  'account.permissions': 'Rechte',
  'account.no-permissions': 'Keine',
  'account.factor': 'Zweiter Schritt',
  'account.factor.name': 'Name',
  'account.factor.used': 'Zuletzt benutzt',
  'account.no-factor': 'Für dieses Konto genügt das Passwort allein.',
  'account.activity': 'Letzte Aktivitäten',
  'account.activity.hint': 'Was mit diesem Konto geschah, Tag für Tag, und von wo aus.',
  'admin.title': 'Verwaltung',
  'admin.lead': 'Sie sehen diese Seite, weil Ihr Konto dieses Recht hat:',
  'admin.accounts': 'Konten',
  'admin.disabled': 'Gesperrt',
  'admin.with-factor': 'Passwort und zweiter Schritt',
  'admin.without-factor': 'Nur Passwort',
  'admin.trail': 'Protokoll',
  'admin.trail.hint':
    'Was geschah, Tag für Tag. Die Datenbank lässt nicht zu, dass ein Eintrag geändert oder in den ersten 90 Tagen gelöscht wird.',
}

/** The account page and the administration. */
export const account: Texts<keyof typeof en> = { en, de }

import type { Texts } from './language.ts'

const en = {
  'account.title': 'Your account',
  'account.hello': 'Hello, {name}',
  'account.unfinished':
    "Someone entered your password but didn't complete the second step. If it wasn't you, change your password.",
  'account.name': 'Name',
  'account.email': 'Email address',
  'account.permissions': 'Permissions',
  'account.no-permissions': 'None',
  'account.factor': 'Second step',
  'account.factor.name': 'Name',
  'account.factor.used': 'Last used',
  'account.no-factor': 'You sign in with your password only.',
  'account.activity': 'Recent activity',
  'account.activity.hint': 'Sign-ins and changes to your account.',
  'admin.title': 'Administration',
  'admin.accounts': 'Accounts',
  'admin.disabled': 'Disabled',
  'admin.with-factor': 'Password and second step',
  'admin.without-factor': 'Password only',
  'admin.trail': 'Audit trail',
  'admin.trail.hint': "Entries can't be edited and are kept for at least 90 days.",
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'account.title': 'Ihr Konto',
  'account.hello': 'Hallo {name}',
  'account.unfinished':
    'Jemand hat Ihr Passwort eingegeben, aber nicht den zweiten Schritt. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.',
  'account.name': 'Name',
  'account.email': 'E-Mail-Adresse',
  'account.permissions': 'Rechte',
  'account.no-permissions': 'Keine',
  'account.factor': 'Zweiter Schritt',
  'account.factor.name': 'Name',
  'account.factor.used': 'Zuletzt benutzt',
  'account.no-factor': 'Sie melden sich nur mit Ihrem Passwort an.',
  'account.activity': 'Letzte Aktivitäten',
  'account.activity.hint': 'Anmeldungen und Änderungen an Ihrem Konto.',
  'admin.title': 'Verwaltung',
  'admin.accounts': 'Konten',
  'admin.disabled': 'Gesperrt',
  'admin.with-factor': 'Passwort und zweiter Schritt',
  'admin.without-factor': 'Nur Passwort',
  'admin.trail': 'Protokoll',
  'admin.trail.hint': 'Einträge lassen sich nicht ändern und bleiben mindestens 90 Tage erhalten.',
}

/** The account page and the administration. */
export const account: Texts<keyof typeof en> = { en, de }

import type { Texts } from './language.ts'

const en = {
  'account.title': 'Your account',
  'account.hello': 'Hello, {name}',
  'account.unfinished':
    "Someone entered your password but didn't complete the second step. If it wasn't you, change your password.",
  'account.permissions': 'Permissions',
  'account.factor': 'Second step',
  'account.factor.on': 'On',
  'account.factor.off': 'Off',
  'account.sessions': '{count, plural, one {Signed in on this device only} other {Signed in on # devices}}',
  'account.no-factor': 'You sign in with your password only.',
  'account.activity': 'Recent activity',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'account.title': 'Ihr Konto',
  'account.hello': 'Hallo {name}',
  'account.unfinished':
    'Jemand hat Ihr Passwort eingegeben, aber nicht den zweiten Schritt. Wenn Sie das nicht waren, ändern Sie Ihr Passwort.',
  'account.permissions': 'Rechte',
  'account.factor': 'Zweiter Schritt',
  'account.factor.on': 'An',
  'account.factor.off': 'Aus',
  'account.sessions':
    '{count, plural, one {Nur auf diesem Gerät angemeldet} other {Auf # Geräten angemeldet}}',
  'account.no-factor': 'Sie melden sich nur mit Ihrem Passwort an.',
  'account.activity': 'Letzte Aktivitäten',
}

/** The account page and the administration. */
export const account: Texts<keyof typeof en> = { en, de }

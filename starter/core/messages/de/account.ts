export const account = {
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

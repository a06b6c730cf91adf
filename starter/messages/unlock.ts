import type { Texts } from './language.ts'

const en = {
  'unlock.title': 'Go on in this browser',
  'unlock.lead':
    'A second step of your account is locked after too many wrong codes. This button lets you go on in this browser, for ten minutes and with five more attempts. Password and code are asked for as always. The button changes nothing in other browsers: there the lock stays until its time is over, or until a right code of the locked step is entered here.',
  'unlock.submit': 'Unlock this browser',
  'unlock.nothing': 'If you do not want to sign in now, close this page. Nothing has changed.',
  'unlock.done': 'This browser is unlocked for ten minutes.',
  'unlock.outdated.title': 'This link is out of date',
  'unlock.outdated.text':
    'It has expired, or it was used before. Wait until the lock ends, or use another second step.',
  'challenge.locked.mail':
    'We have sent you a mail. Its link lets you go on in this browser without waiting.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'unlock.title': 'In diesem Browser weitermachen',
  'unlock.lead':
    'Ein zweiter Schritt Ihres Kontos ist nach zu vielen falschen Codes gesperrt. Mit dieser Schaltfläche können Sie in diesem Browser weitermachen, zehn Minuten lang und mit fünf weiteren Versuchen. Passwort und Code werden wie immer verlangt. In anderen Browsern ändert die Schaltfläche nichts: Dort bleibt die Sperre, bis ihre Zeit vorbei ist oder hier ein richtiger Code des gesperrten Schritts eingegeben wird.',
  'unlock.submit': 'Diesen Browser freigeben',
  'unlock.nothing':
    'Wenn Sie sich jetzt nicht anmelden möchten, schließen Sie diese Seite. Es hat sich nichts geändert.',
  'unlock.done': 'Dieser Browser ist für zehn Minuten freigegeben.',
  'unlock.outdated.title': 'Dieser Link gilt nicht mehr',
  'unlock.outdated.text':
    'Er ist abgelaufen oder wurde schon benutzt. Warten Sie, bis die Sperre endet, oder benutzen Sie einen anderen zweiten Schritt.',
  'challenge.locked.mail':
    'Wir haben Ihnen eine Mail gesendet. Mit ihrem Link machen Sie in diesem Browser weiter, ohne zu warten.',
}

/** The link of a mail about a locked factor. */
export const unlock: Texts<keyof typeof en> = { en, de }

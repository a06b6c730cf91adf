import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'event.sign-in-link-requested': 'Anmeldelink angefordert',
  'event.sign-in-link-used': 'Anmeldelink anstelle des Passworts benutzt',
  'sign-in-link.offer': 'Link zum Anmelden per E-Mail senden',
  'sign-in-link.title': 'Anmelden per E-Mail',
  'sign-in-link.lead':
    'Wir senden Ihnen einen Link, der Sie ohne Ihr Passwort anmeldet. Ihr zweiter Schritt bleibt, wie er ist.',
  'sign-in-link.submit': 'Link senden',
  'sign-in-link.locked': 'Es wurden zu viele Links angefordert.',
  'sign-in-link.sent.title': 'Sehen Sie in Ihre E-Mails',
  'sign-in-link.sent.text':
    'Wenn ein Konto diese Adresse hat, ist eine E-Mail mit dem Link unterwegs. Öffnen Sie ihn in diesem Browser. Er gilt einmal, 15 Minuten lang.',
  'sign-in-link.confirm.title': 'Anmelden',
  'sign-in-link.confirm.who': 'Sie melden sich an als',
  'sign-in-link.confirm.submit': 'Anmelden',
  'sign-in-link.elsewhere.title': 'Öffnen Sie den Link dort, wo Sie ihn angefordert haben',
  'sign-in-link.elsewhere.text':
    'Ein Anmeldelink gilt nur in dem Browser, der ihn zuletzt angefordert hat. Öffnen Sie ihn dort, oder fordern Sie hier einen neuen an.',
  'sign-in-link.outdated.text':
    'Er ist abgelaufen, er wurde schon benutzt, oder das Konto hat sich seither geändert.',
  'mail.sign-in-link.subject': 'Ihr Link zum Anmelden',
  'mail.sign-in-link.text':
    'Guten Tag,\n\njemand hat einen Link zum Anmelden bei dem Konto mit dieser Adresse angefordert. Wenn Sie es waren, öffnen Sie ihn im selben Browser:\n\n{url}\n\nDer Link gilt einmal, 15 Minuten lang. Wenn Sie es nicht waren, tun Sie nichts, und geben Sie den Link niemandem.',
  'mail.sign-in-link-unknown.subject': 'Es gibt kein Konto mit dieser Adresse',
  'mail.sign-in-link-unknown.text':
    'Guten Tag,\n\njemand hat einen Link zum Anmelden bei einem Konto mit dieser Adresse angefordert. Es gibt keines. Wenn Sie es waren, versuchen Sie es mit den anderen Adressen, die Sie benutzen:\n\n{url}\n\nWenn Sie es nicht waren, tun Sie nichts. Nichts hat sich geändert.',
}

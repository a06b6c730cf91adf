import type { Texts } from './language.ts'

const en = {
  'event.password-refused': 'Wrong password',
  'event.password-accepted': 'Password accepted, waiting for the code',
  'event.password-locked': 'Too many wrong passwords, sign-in paused',
  'event.login-refused': 'Sign-in refused, already signed in',
  'event.logged-in': 'Signed in',
  'event.code-refused': 'Wrong code',
  'event.code-locked': 'Too many wrong codes, code checks paused',
  'event.challenge-spent': 'Sign-in ended, too many wrong codes',
  'event.challenge-expired': 'Sign-in expired',
  'event.challenge-cancelled': 'Sign-in cancelled',
  'event.account-unavailable': 'Sign-in ended, account not available',
  'event.logged-out': 'Signed out',
  'event.account-created': 'Account created',
  'event.step-up-confirmed': 'Identity confirmed again',
  'event.factor-enabled': 'Second step set up',
  'event.recovery-code-used': 'Recovery code used',
  'event.recovery-code-refused': 'Wrong recovery code',
  'event.recovery-codes-renewed': 'New recovery codes made',
  'event.reset-requested': 'Link for a new password asked for',
  'event.password-reset': 'New password set by the link in a mail',
  'events.unknown-account': 'Unknown address',
  'events.accounts':
    '{others, plural, =0 {{name}} one {{name} and # other account} other {{name} and # other accounts}}',
  'events.times': '({count, plural, one {# time} other {# times}})',
  'events.many-times': '({count} times or more)',
  'events.unknown-client': 'address unknown',
  'events.clients':
    '{others, plural, =0 {{address}} one {{address} and # other address} other {{address} and # other addresses}}',
  'time.utc': '{time} UTC',
  'time.never': 'Never',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'event.password-refused': 'Falsches Passwort',
  'event.password-accepted': 'Passwort richtig, es fehlt der Code',
  'event.password-locked': 'Zu viele falsche Passwörter, Anmeldung ausgesetzt',
  'event.login-refused': 'Anmeldung abgelehnt, bereits angemeldet',
  'event.logged-in': 'Angemeldet',
  'event.code-refused': 'Falscher Code',
  'event.code-locked': 'Zu viele falsche Codes, Prüfung ausgesetzt',
  'event.challenge-spent': 'Anmeldung beendet, zu viele falsche Codes',
  'event.challenge-expired': 'Anmeldung abgelaufen',
  'event.challenge-cancelled': 'Anmeldung abgebrochen',
  'event.account-unavailable': 'Anmeldung beendet, Konto nicht verfügbar',
  'event.logged-out': 'Abgemeldet',
  'event.account-created': 'Konto angelegt',
  'event.step-up-confirmed': 'Identität erneut bestätigt',
  'event.factor-enabled': 'Zweiter Schritt eingerichtet',
  'event.recovery-code-used': 'Wiederherstellungscode benutzt',
  'event.recovery-code-refused': 'Falscher Wiederherstellungscode',
  'event.recovery-codes-renewed': 'Neue Wiederherstellungscodes erzeugt',
  'event.reset-requested': 'Link für ein neues Passwort angefordert',
  'event.password-reset': 'Neues Passwort gesetzt, über den Link in einer Mail',
  'events.unknown-account': 'Unbekannte Adresse',
  'events.accounts':
    '{others, plural, =0 {{name}} one {{name} und # weiteres Konto} other {{name} und # weitere Konten}}',
  'events.times': '({count, plural, one {#-mal} other {#-mal}})',
  'events.many-times': '({count}-mal oder öfter)',
  'events.unknown-client': 'Adresse unbekannt',
  'events.clients':
    '{others, plural, =0 {{address}} one {{address} und # weitere Adresse} other {{address} und # weitere Adressen}}',
  'time.utc': '{time} UTC',
  'time.never': 'Nie',
}

/** The audit trail in plain words, and times. Each kind of event has a message `event.<kind>`. */
export const events: Texts<keyof typeof en> = { en, de }

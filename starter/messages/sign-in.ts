import type { Texts } from './language.ts'

const en = {
  'sign-in.title': 'Sign in',
  'sign-in.email': 'E-mail address',
  'sign-in.password': 'Password',
  'sign-in.show': 'Show',
  'sign-in.hide': 'Hide',
  'sign-in.continue': 'Continue',
  'sign-in.locked': 'Too many attempts.',
  'sign-in.sign-out-first': 'You are already signed in. Sign out first.',
  'sign-in.already': 'You are already signed in.',
  'sign-in.stranded':
    'This browser is still signed in to an account that is currently not available. Sign out to sign in with another one.',
  'sign-in.pending': 'A sign-in is waiting for its second step.',
  'sign-in.pending.link': 'Continue it',
  'sign-in.pending.or': 'or start again below.',
  'sign-in.pending.continue': 'Continue the sign-in',
  'sign-in.pending.cancel': 'Cancel it',
  'sign-in.none': 'No sign-in is under way in this browser. Start with your password.',
  'sign-in.over': 'This sign-in is over. Start again with your password.',
  'sign-in.changed':
    'The sign-in data of this account has changed meanwhile. Start again with your password.',
  'sign-in.expired': 'Your sign-in has expired. Start again with your password.',
  'sign-in.unavailable': 'This account is currently not available.',
  'sign-in.spent': 'Too many wrong codes. Start again with your password.',
  'sign-in.unknown-factor': 'That second step is not available for this sign-in. Continue with this one.',
  'sign-in.cancelled': 'Sign-in cancelled.',
  'sign-in.ended':
    'You were signed out, because the sign-in data of this account has changed. Sign in again.',
  'sign-in.end.idle': 'You were signed out after {minutes} minutes without activity. Sign in to go on.',
  'sign-in.end.absolute':
    'You were signed out, because a session ends after {hours} hours. Sign in to go on.',
  'sign-in.end.elsewhere': 'You were signed out, because this session was ended elsewhere. Sign in to go on.',
  'sign-in.late': 'This page was out of date. Only the password is lost: type it again.',
  'sign-in.late.no-cookie':
    'Your browser sent no cookie of this site, and signing in needs one. Allow cookies, then type your password again.',
  'sign-out.title': 'Sign out',
  'sign-out.lead': 'You are signed in on this browser.',
  'sign-out.pending.lead':
    'You are not signed in yet: a sign-in on this browser is waiting for its second step. The button ends it.',
  'sign-out.already': 'You are signed out',
  'sign-out.already.lead': 'Nobody is signed in on this browser.',
  'sign-out.button': 'Sign out',
  'sign-out.done': 'You are signed out.',
  'doors.label': 'Steps of signing in',
  'doors.password': 'Password',
  'doors.code': 'Second step',
  'doors.done': ', done',
  'challenge.title': 'Enter your code',
  'challenge.who': 'You are signing in as',
  'challenge.hint.totp': 'Open your authenticator app and type the six digits it shows for this site.',
  'challenge.code': 'Six-digit code',
  'challenge.code.totp': 'It changes every 30 seconds and works once.',
  'challenge.submit': 'Sign in',
  'challenge.cancel': 'Cancel and start over',
  'challenge.locked': 'Too many wrong codes.',
  'challenge.asks-now': 'This page now asks for:',
  'challenge.gone': 'That authenticator is not there any more. Type the code of this one.',
  'challenge.gone.passkey':
    'That authenticator is not there any more. Continue with your passkey or security key.',
  'challenge.gone.recovery': 'That authenticator is not there any more. Continue with a recovery code.',
  'sign-in.no-factor':
    'Signing in needs a second step, and your account has none that works at present. Ask the administrator of this site.',
  'challenge.gone.locked':
    'That authenticator is not there any more, and too many wrong codes were typed for what is left.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'sign-in.title': 'Anmelden',
  'sign-in.email': 'E-Mail-Adresse',
  'sign-in.password': 'Passwort',
  'sign-in.show': 'Anzeigen',
  'sign-in.hide': 'Verbergen',
  'sign-in.continue': 'Weiter',
  'sign-in.locked': 'Zu viele Versuche.',
  'sign-in.sign-out-first': 'Sie sind bereits angemeldet. Melden Sie sich zuerst ab.',
  'sign-in.already': 'Sie sind bereits angemeldet.',
  'sign-in.stranded':
    'Dieser Browser ist noch bei einem Konto angemeldet, das zurzeit nicht verfügbar ist. Melden Sie sich ab, um ein anderes zu benutzen.',
  'sign-in.pending': 'Eine Anmeldung wartet auf ihren zweiten Schritt.',
  'sign-in.pending.link': 'Setzen Sie sie fort',
  'sign-in.pending.or': 'oder beginnen Sie unten neu.',
  'sign-in.pending.continue': 'Anmeldung fortsetzen',
  'sign-in.pending.cancel': 'Abbrechen',
  'sign-in.none': 'In diesem Browser läuft keine Anmeldung. Beginnen Sie mit Ihrem Passwort.',
  'sign-in.over': 'Diese Anmeldung ist beendet. Beginnen Sie neu mit Ihrem Passwort.',
  'sign-in.changed':
    'Die Anmeldedaten dieses Kontos haben sich inzwischen geändert. Beginnen Sie neu mit Ihrem Passwort.',
  'sign-in.expired': 'Ihre Anmeldung ist abgelaufen. Beginnen Sie neu mit Ihrem Passwort.',
  'sign-in.unavailable': 'Dieses Konto ist zurzeit nicht verfügbar.',
  'sign-in.spent': 'Zu viele falsche Codes. Beginnen Sie neu mit Ihrem Passwort.',
  'sign-in.unknown-factor':
    'Dieser zweite Schritt steht für diese Anmeldung nicht zur Verfügung. Machen Sie mit diesem hier weiter.',
  'sign-in.cancelled': 'Anmeldung abgebrochen.',
  'sign-in.ended':
    'Sie wurden abgemeldet, weil sich die Anmeldedaten dieses Kontos geändert haben. Melden Sie sich neu an.',
  'sign-in.end.idle':
    'Sie wurden nach {minutes} Minuten ohne Aktivität abgemeldet. Melden Sie sich an, um fortzufahren.',
  'sign-in.end.absolute':
    'Sie wurden abgemeldet, weil eine Sitzung nach {hours} Stunden endet. Melden Sie sich an, um fortzufahren.',
  'sign-in.end.elsewhere':
    'Sie wurden abgemeldet, weil diese Sitzung an anderer Stelle beendet wurde. Melden Sie sich an, um fortzufahren.',
  'sign-in.late': 'Diese Seite war veraltet. Nur das Passwort ging verloren: Geben Sie es noch einmal ein.',
  'sign-in.late.no-cookie':
    'Ihr Browser hat kein Cookie dieser Seite gesendet, und die Anmeldung braucht eines. Erlauben Sie Cookies, und geben Sie Ihr Passwort noch einmal ein.',
  'sign-out.title': 'Abmelden',
  'sign-out.lead': 'Sie sind in diesem Browser angemeldet.',
  'sign-out.pending.lead':
    'Sie sind noch nicht angemeldet: Eine Anmeldung in diesem Browser wartet auf ihren zweiten Schritt. Die Schaltfläche beendet sie.',
  'sign-out.already': 'Sie sind abgemeldet',
  'sign-out.already.lead': 'In diesem Browser ist niemand angemeldet.',
  'sign-out.button': 'Abmelden',
  'sign-out.done': 'Sie sind abgemeldet.',
  'doors.label': 'Schritte der Anmeldung',
  'doors.password': 'Passwort',
  'doors.code': 'Zweiter Schritt',
  'doors.done': ', erledigt',
  'challenge.title': 'Code eingeben',
  'challenge.who': 'Sie melden sich an als',
  'challenge.hint.totp':
    'Öffnen Sie Ihre Authenticator-App und geben Sie die sechs Ziffern ein, die sie für diese Seite anzeigt.',
  'challenge.code': 'Sechsstelliger Code',
  'challenge.code.totp': 'Er wechselt alle 30 Sekunden und gilt einmal.',
  'challenge.submit': 'Anmelden',
  'challenge.cancel': 'Abbrechen und neu beginnen',
  'challenge.locked': 'Zu viele falsche Codes.',
  'challenge.asks-now': 'Gefragt ist jetzt:',
  'challenge.gone': 'Diesen Authenticator gibt es nicht mehr. Geben Sie den Code von diesem hier ein.',
  'challenge.gone.passkey':
    'Diesen Authenticator gibt es nicht mehr. Machen Sie mit Ihrem Passkey oder Sicherheitsschlüssel weiter.',
  'challenge.gone.recovery':
    'Diesen Authenticator gibt es nicht mehr. Machen Sie mit einem Wiederherstellungscode weiter.',
  'sign-in.no-factor':
    'Für die Anmeldung ist ein zweiter Schritt nötig, und Ihr Konto hat zurzeit keinen, der funktioniert. Wenden Sie sich an die Verwaltung dieser Seite.',
  'challenge.gone.locked':
    'Diesen Authenticator gibt es nicht mehr, und für den verbliebenen zweiten Schritt wurden zu viele falsche Codes eingegeben.',
}

/** Signing in and out. */
export const signIn: Texts<keyof typeof en> = { en, de }

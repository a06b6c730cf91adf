import { BRAND } from '../brand.ts'
import type { Texts } from './language.ts'

const en = {
  'layout.error-title': 'Error: {title}',
  'layout.skip': 'Skip to content',
  'layout.language': 'Language: {name}',
  'navigation.label': 'Main',
  'navigation.who': 'Signed in as',
  'navigation.account': 'Account',
  'navigation.sign-in': 'Sign in',
  'navigation.sign-out': 'Sign out',
  'menu.label': 'Account',
  'menu.overview': 'Overview',
  'gate.label': 'The gate',
  'gate.first': 'Step 1 of 2: your password',
  'gate.second': "Step 2 of 2: confirm it's you",
  'language.title': 'Language',
  'language.lead': 'Choose the language of these pages and of your emails.',
  'home.title': 'Sign in safely',
  'home.lead': 'Your password is the first step, your phone or passkey the second.',
  'home.account': 'Your account',
  'home.sign-in': 'Sign in',
  'home.first': 'Step 1',
  'home.first.text': "Your password. It doesn't sign you in yet.",
  'home.second': 'Step 2',
  'home.second.text': 'A passkey, or a code from your authenticator app. Each code works once.',
  'home.inside': 'Signed in',
  'home.inside.text': 'Permissions are checked on every request, so changes apply right away.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'layout.error-title': 'Fehler: {title}',
  'layout.skip': 'Zum Inhalt springen',
  'layout.language': 'Sprache: {name}',
  'navigation.label': 'Hauptmenü',
  'navigation.who': 'Angemeldet als',
  'navigation.account': 'Konto',
  'navigation.sign-in': 'Anmelden',
  'navigation.sign-out': 'Abmelden',
  'menu.label': 'Konto',
  'menu.overview': 'Übersicht',
  'gate.label': 'Das Tor',
  'gate.first': 'Schritt 1 von 2: Ihr Passwort',
  'gate.second': 'Schritt 2 von 2: Bestätigen Sie, dass Sie es sind',
  'language.title': 'Sprache',
  'language.lead': 'Wählen Sie die Sprache dieser Seiten und Ihrer E-Mails.',
  'home.title': 'Sicher anmelden',
  'home.lead': 'Ihr Passwort ist der erste Schritt, Ihr Telefon oder Passkey der zweite.',
  'home.account': 'Ihr Konto',
  'home.sign-in': 'Anmelden',
  'home.first': 'Schritt 1',
  'home.first.text': 'Ihr Passwort. Es meldet Sie noch nicht an.',
  'home.second': 'Schritt 2',
  'home.second.text': 'Ein Passkey oder ein Code Ihrer Authenticator-App. Jeder Code gilt einmal.',
  'home.inside': 'Angemeldet',
  'home.inside.text': 'Ihre Rechte werden bei jeder Anfrage geprüft. Änderungen gelten also sofort.',
}

/** The frame of every page, the home page and the choice of language. */
export const layout: Texts<keyof typeof en | 'layout.site' | 'layout.about'> = {
  en: { ...en, 'layout.site': BRAND.name, 'layout.about': BRAND.about.en },
  de: { ...de, 'layout.site': BRAND.name, 'layout.about': BRAND.about.de },
}

import type { Texts } from './language.ts'

const en = {
  'layout.site': 'Sallyport starter',
  'layout.about': 'The reference application of the Sallyport framework',
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
  'gate.first': 'Two doors, one way in. The second opens only when the first has closed behind you.',
  'gate.second': 'The first door is behind you. One more.',
  'language.title': 'Language',
  'language.lead': 'Choose the language of these pages and of the mails to you.',
  'home.title': 'Two doors, one way in',
  'home.lead':
    'A sallyport is a gate of two doors: the second opens only when the first has closed behind you. This application signs people in the same way.',
  'home.account': 'Your account',
  'home.sign-in': 'Sign in',
  'home.first': 'The first door',
  'home.first.text':
    'Your password. It does not sign you in yet: you have no permissions, and after five minutes you start over.',
  'home.second': 'The second door',
  'home.second.text':
    'Your second step, such as a code of your authenticator app. Each code works once, and guessing is limited for the sign-in and for the account.',
  'home.inside': 'Inside',
  'home.inside.text':
    'Your permissions are checked on every request. A revoked permission is gone with the next click.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'layout.site': 'Sallyport Starter',
  'layout.about': 'Die Referenzanwendung des Frameworks Sallyport',
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
  'gate.first':
    'Zwei Türen, ein Weg hinein. Die zweite öffnet sich erst, wenn die erste hinter Ihnen geschlossen ist.',
  'gate.second': 'Die erste Tür liegt hinter Ihnen. Noch eine.',
  'language.title': 'Sprache',
  'language.lead': 'Wählen Sie die Sprache dieser Seiten und der Mails an Sie.',
  'home.title': 'Zwei Türen, ein Weg hinein',
  'home.lead':
    'Ein Sallyport ist ein Tor mit zwei Türen: Die zweite öffnet sich erst, wenn die erste hinter Ihnen geschlossen ist. Genauso meldet diese Anwendung Menschen an.',
  'home.account': 'Ihr Konto',
  'home.sign-in': 'Anmelden',
  'home.first': 'Die erste Tür',
  'home.first.text':
    'Ihr Passwort. Es meldet Sie noch nicht an: Sie haben keine Rechte, und nach fünf Minuten beginnen Sie von vorn.',
  'home.second': 'Die zweite Tür',
  'home.second.text':
    'Ihr zweiter Schritt, etwa ein Code Ihrer Authenticator-App. Jeder Code gilt einmal, und Rateversuche sind begrenzt, je Anmeldung und je Konto.',
  'home.inside': 'Drinnen',
  'home.inside.text':
    'Ihre Rechte werden bei jeder Anfrage geprüft. Ein entzogenes Recht gilt schon beim nächsten Klick nicht mehr.',
}

/** The frame of every page, the home page and the choice of language. */
export const layout: Texts<keyof typeof en> = { en, de }

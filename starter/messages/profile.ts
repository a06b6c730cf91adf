import type { Texts } from './language.ts'

const en = {
  'profile.title': 'Profile',
  'profile.lead': 'Who you are to this application, and to its mails.',
  'profile.name': 'Name',
  'profile.name.hint': 'As you want to be addressed. It is shown to administrators, and proves nothing.',
  'profile.name.submit': 'Save the name',
  'profile.name.done': 'Your name is saved.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'profile.title': 'Profil',
  'profile.lead': 'Wer Sie für diese Anwendung und ihre Mails sind.',
  'profile.name': 'Name',
  'profile.name.hint':
    'Wie Sie angesprochen werden möchten. Die Verwaltung sieht ihn, und er beweist nichts.',
  'profile.name.submit': 'Namen speichern',
  'profile.name.done': 'Ihr Name ist gespeichert.',
}

/** The page about the owner of an account. */
export const profile: Texts<keyof typeof en> = { en, de }

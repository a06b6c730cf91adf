import type { Texts } from './language.ts'

const en = {
  'profile.title': 'Profile',
  'profile.lead': 'How this site addresses you, and where its mails reach you.',
  'profile.name': 'Name',
  'profile.name.hint': 'As you want to be addressed. Administrators see it, too.',
  'profile.name.submit': 'Save the name',
  'profile.name.done': 'Your name is saved.',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'profile.title': 'Profil',
  'profile.lead': 'Wie diese Seite Sie anspricht, und wo ihre Mails Sie erreichen.',
  'profile.name': 'Name',
  'profile.name.hint': 'Wie Sie angesprochen werden möchten. Auch die Verwaltung sieht ihn.',
  'profile.name.submit': 'Namen speichern',
  'profile.name.done': 'Ihr Name ist gespeichert.',
}

/** The page about the owner of an account. */
export const profile: Texts<keyof typeof en> = { en, de }

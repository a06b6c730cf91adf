import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'profile.title': 'Profil',
  'profile.lead': 'Wie diese Seite Sie anspricht, und wo ihre Mails Sie erreichen.',
  'profile.name': 'Name',
  'profile.name.hint': 'Wie Sie angesprochen werden möchten. Auch die Verwaltung sieht ihn.',
  'profile.name.submit': 'Namen speichern',
  'profile.name.done': 'Ihr Name ist gespeichert.',
  'event.name-changed': 'Name geändert',
}

import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'profile.title': 'Profil',
  'profile.lead': 'Wie wir Sie ansprechen, und wo unsere E-Mails Sie erreichen.',
  'profile.name': 'Name',
  'profile.name.hint': 'Auch die Verwaltung sieht ihn.',
  'profile.name.submit': 'Namen speichern',
  'profile.name.done': 'Name gespeichert.',
  'event.name-changed': 'Name geändert',
}

import type { en } from './texts.en.ts'
/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'duty.reminder.totp':
    'Ihr Konto muss einen zweiten Schritt haben. Ab {date} müssen Sie ihn einrichten, bevor Sie sich anmelden können.',
  'duty.overdue.totp':
    'Ihr Konto muss einen zweiten Schritt haben. Bei der nächsten Anmeldung müssen Sie ihn einrichten.',
}

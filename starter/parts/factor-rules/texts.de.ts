import type { en } from './texts.en.ts'

/** Its texts in German. */
export const de: Readonly<Record<keyof typeof en, string>> = {
  'duty.reminder':
    'Ihr Konto muss einen zweiten Schritt haben. Ab {date} müssen Sie ihn einrichten, bevor Sie sich anmelden können.',
  'duty.overdue':
    'Ihr Konto muss einen zweiten Schritt haben. Bei der nächsten Anmeldung müssen Sie ihn einrichten.',
  'duty.reminder.passkey':
    'Ihr Konto muss einen Passkey haben. Ab {date} müssen Sie ihn hinzufügen, bevor Sie sich anmelden können.',
  'duty.overdue.passkey':
    'Ihr Konto muss einen Passkey haben. Bei der nächsten Anmeldung müssen Sie ihn hinzufügen.',
}

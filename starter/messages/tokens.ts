import type { Texts } from './language.ts'

const en = {
  'event.token-created': 'API token made',
  'event.token-confirmed': 'API token kept after a change',
  'event.token-revoked': 'API token revoked',
  'event.token-refused': 'API token refused',
}

const de: Readonly<Record<keyof typeof en, string>> = {
  'event.token-created': 'API-Token erstellt',
  'event.token-confirmed': 'API-Token nach einer Änderung behalten',
  'event.token-revoked': 'API-Token widerrufen',
  'event.token-refused': 'API-Token abgelehnt',
}

/** The page of the API tokens, and what the audit trail says of them. */
export const tokens: Texts<keyof typeof en> = { en, de }

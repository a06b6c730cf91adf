import type { FieldRule, FieldRules } from 'sallyport-app/testing/browser'
import { ofParts } from '../facts-of-parts.ts'

const EXPECTED_FIELDS: Readonly<Record<string, FieldRule>> = {
  label: { type: 'text', autocomplete: 'off', inputmode: '' },
  q: { type: 'search', autocomplete: 'off', inputmode: '' },
  reason: { type: 'text', autocomplete: 'off', inputmode: '' },
  name: { type: 'text', autocomplete: 'name', inputmode: '' },
  email: { type: 'email', autocomplete: 'username', inputmode: 'email' },
  typed_email: { type: 'email', autocomplete: 'off', inputmode: 'email' },
  new_email: { type: 'email', autocomplete: 'email', inputmode: 'email' },
  password: { type: 'password', autocomplete: 'current-password', inputmode: '' },
  new_password: { type: 'password', autocomplete: 'new-password', inputmode: '' },
  recovery_code: { type: 'text', autocomplete: 'off', inputmode: 'text' },
  code: { type: 'text', autocomplete: 'one-time-code', inputmode: 'numeric' },
  ...ofParts('fields'),
}

/** The attributes of a field, by its name and what a browser fills it in with. */
export const FIELD_RULES: FieldRules = (field, autocomplete) => EXPECTED_FIELDS[kindOf(field, autocomplete)]

function kindOf(field: string, autocomplete: string): string {
  if (autocomplete === 'new-password') return `new_${field}`
  if (`${field} ${autocomplete}` in EXPECTED_FIELDS) return `${field} ${autocomplete}`
  // Not the name of the account, which a password manager fills in.
  if (field === 'email' && autocomplete === 'email') return 'new_email'
  // Typed by hand, to confirm what cannot be taken back.
  if (field === 'email' && autocomplete === 'off') return 'typed_email'
  if (field === 'code' && autocomplete === 'off') return 'recovery_code'
  return field
}

import type { PasskeySummary } from '../../identity/factors/passkeys.ts'
import { type Moment, toMoment } from '../presentation.ts'

/** A passkey as `views/security/passkeys.edge` shows it. */
export interface PasskeyLine {
  readonly id: string
  readonly label: string
  /** Message that says whether it signs in without a password. */
  readonly kind: string
  readonly added: Moment
  readonly used: Moment
}

/**
 * @param passkeys Passkeys of an account.
 * @param locale Language of the page.
 * @returns What `views/security/passkeys.edge` shows, as its value `passkeys`.
 */
export function toPasskeyLines(passkeys: readonly PasskeySummary[], locale: string): readonly PasskeyLine[] {
  return passkeys.map(({ id, label, resident, createdAt, usedAt }) => ({
    id,
    label,
    kind: `passkeys.resident.${resident}`,
    added: toMoment(createdAt, locale),
    used: toMoment(usedAt, locale),
  }))
}

import type { Kysely } from 'kysely'
import type { Clock, Definitions } from 'sallyport'
import type { Schema } from '../../database/schema.ts'
import type { AuditTrail } from '../audit/audit-trail.ts'
import type { Attempts } from '../limits/attempts.ts'
import type { Notices } from '../mail/notices.ts'
import { PasskeyCeremonies } from './passkey-ceremonies.ts'
import { PASSKEY_POLICY, type PasskeyPolicy } from './passkey-policy.ts'
import { PasskeyProofs } from './passkey-proofs.ts'
import { Passkeys } from './passkeys.ts'
import type { RecoveryCodes } from './recovery-codes.ts'
import type { SecondFactors } from './second-factors.ts'
import { RelyingParty } from './relying-party.ts'

/** What the services of passkeys are made of. */
export interface PasskeyServiceParts {
  readonly database: Kysely<Schema>
  readonly attempts: Attempts
  readonly secondFactors: SecondFactors
  readonly codes: RecoveryCodes
  readonly audit: AuditTrail
  readonly notices: Notices
  readonly clock: Clock
}

/** Settings of passkeys. */
export interface PasskeySettings {
  /** Returns the origin that browsers use; undefined while it is not known. Default: none, and no passkeys. */
  readonly origin?: () => string | undefined
  /** What is expected of authenticators. Default: {@link PASSKEY_POLICY}. */
  readonly passkeyPolicy?: PasskeyPolicy
}

/** The services of passkeys. */
export interface PasskeyServices {
  /** The passkeys of the accounts. */
  readonly passkeys: Passkeys
  /** What they prove. */
  readonly proofs: PasskeyProofs
}

/**
 * @param parts What they are made of.
 * @param settings Settings.
 * @returns The services of passkeys.
 */
export function createPasskeyServices(
  parts: PasskeyServiceParts,
  settings: PasskeySettings,
): PasskeyServices {
  const { origin = () => undefined, passkeyPolicy: policy = PASSKEY_POLICY } = settings
  const ceremonies = new PasskeyCeremonies(new RelyingParty(origin))
  const passkeys = new Passkeys({ ...parts, ceremonies }, policy)
  return { passkeys, proofs: new PasskeyProofs({ ...parts, ceremonies, passkeys }, policy) }
}

/**
 * @param definitions Services of the application.
 * @param services The services of passkeys.
 */
export function setPasskeyServices(definitions: Definitions, services: PasskeyServices): void {
  definitions.set(Passkeys, services.passkeys).set(PasskeyProofs, services.proofs)
}

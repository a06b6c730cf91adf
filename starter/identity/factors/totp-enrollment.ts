import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { generateSecret, generateURI } from 'otplib/functional'
import { type Clock, Secret } from 'sallyport'
import type { Schema } from '../../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { raiseCredentialVersion } from '../accounts/credential-version.ts'
import { AuditEvent, type AuditTrail } from '../audit/audit-trail.ts'
import type { Attempts } from '../limits/attempts.ts'
import { ENROLLMENT_LIMIT, enrollmentSubject } from '../limits/limits.ts'
import type { FactorVault } from './factor-vault.ts'
import {
  type RecoveryCodes,
  type RecoveryCodeSet,
  type RenewedCodes,
  replaceRecoveryCodes,
} from './recovery-codes.ts'
import { matchingStep, parseTotpCode, toTolerance, type TotpLeeway, type TotpTolerance } from './totp-code.ts'

/** How long a secret that was shown can be proven. Afterwards it is deleted, and a new one is made. */
export const ENROLLMENT_SECONDS: number = 15 * 60

const ISSUER = 'Sallyport starter'

/** What an authenticator needs. */
export interface TotpSetup {
  /** The secret in Base32, to be typed. */
  readonly secret: Secret
  /** The same as an `otpauth:` URI, for a QR code. */
  readonly uri: Secret
}

/** A factor that counts from now on. */
export interface EnrolledFactor {
  /** The recovery codes, to be shown once. */
  readonly codes: readonly string[]
  /** The new credential version: every other session of the account has ended. */
  readonly credentialVersion: number
}

/** The first factor of an account: a secret is shown, and counts once a code of it was proven. */
export class TotpEnrollment {
  readonly #database: Kysely<Schema>
  readonly #vault: FactorVault
  readonly #attempts: Attempts
  readonly #codes: RecoveryCodes
  readonly #audit: AuditTrail
  readonly #clock: Clock
  readonly #tolerance: TotpTolerance

  /**
   * @param services `database` with the factors, `vault` for their secrets, limits in `attempts`, recovery `codes`, the `audit`
   *   trail and the `clock`.
   * @param leeway Tolerated difference between codes and the clock.
   */
  constructor(
    services: {
      readonly database: Kysely<Schema>
      readonly vault: FactorVault
      readonly attempts: Attempts
      readonly codes: RecoveryCodes
      readonly audit: AuditTrail
      readonly clock: Clock
    },
    leeway: TotpLeeway = {},
  ) {
    this.#database = services.database
    this.#vault = services.vault
    this.#attempts = services.attempts
    this.#codes = services.codes
    this.#audit = services.audit
    this.#clock = services.clock
    this.#tolerance = toTolerance(leeway)
  }

  /**
   * Shows the secret to set up: the same one until it expires, so that a page can be loaded again.
   *
   * @param account Owner of the factor.
   * @param label Name for the factor.
   * @returns What an authenticator needs; undefined when the account has an enabled factor already.
   */
  begin(account: Account, label: string): Promise<TotpSetup | undefined> {
    const now = this.#clock.timestamp()
    return this.#database.transaction().execute(async (transaction) => {
      if (await hasEnabledFactor(transaction, account.id)) return undefined
      await dropAbandoned(transaction, account.id, now)
      const shown = await unverifiedFactor(transaction, account.id, now)
      if (shown !== undefined) return setupOf(account, this.#vault.open(account.id, shown.secret))
      const secret = new Secret(generateSecret())
      await transaction
        .insertInto('factor')
        .values({
          id: randomUUID(),
          account_id: account.id,
          kind: 'totp',
          label,
          state: 'unverified',
          secret: this.#vault.seal(account.id, secret),
          last_step: null,
          created_at: now,
          enabled_at: null,
          used_at: null,
        })
        .execute()
      return setupOf(account, secret)
    })
  }

  /**
   * Enables the factor with its first code, which counts as used, and replaces the recovery codes: all in one transaction with
   * the record of it, and with the end of every other session of the account.
   *
   * @param account Owner of the factor.
   * @param code The submitted value, of any type.
   * @param clientAddress Address of the client.
   * @returns The recovery codes; null for a wrong code, and for a secret that has expired.
   * @throws {TooManyRequestsException} If there were too many wrong codes.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash; nothing is counted then.
   */
  prove(account: Account, code: unknown, clientAddress: string): Promise<EnrolledFactor | null> {
    const limited = { subject: enrollmentSubject(account.id), limit: ENROLLMENT_LIMIT }
    return this.#attempts.judge([limited], async (counted) => {
      const proof = await this.#match(account, code)
      if (proof === null) return null
      const enrolled = await this.#enable(account, { ...proof, clientAddress }, await this.#codes.prepare())
      if (enrolled !== null) await counted.takeBack()
      return enrolled
    })
  }

  /**
   * Makes new recovery codes for a factor that was just enrolled, whose codes its owner did not see or keep.
   *
   * @param account Owner of the factor.
   * @param clientAddress Address of the client.
   * @returns The codes, to be shown once; the old ones stop counting.
   * @throws {TooManyRequestsException} If that was asked for too often.
   */
  renewCodes(account: Account, clientAddress: string): Promise<RenewedCodes> {
    const limited = { subject: enrollmentSubject(account.id), limit: ENROLLMENT_LIMIT }
    // Never taken back: what is limited is the number of hashes.
    return this.#attempts.judge([limited], () => this.#codes.renew(account.id, clientAddress))
  }

  async #match(account: Account, code: unknown): Promise<Omit<FirstProof, 'clientAddress'> | null> {
    const token = parseTotpCode(code)
    const now = this.#clock.timestamp()
    const factor = await unverifiedFactor(this.#database, account.id, now)
    if (token === undefined || factor === undefined) return null
    const secret = this.#vault.open(account.id, factor.secret)
    const step = await matchingStep({ secret, token, epoch: now, tolerance: this.#tolerance })
    return step === undefined ? null : { factorId: factor.id, step, now }
  }

  #enable(account: Account, proof: FirstProof, set: RecoveryCodeSet): Promise<EnrolledFactor | null> {
    const { factorId, step, now, clientAddress } = proof
    return this.#database.transaction().execute(async (transaction) => {
      // The row count decides: of several codes sent at once, one enables the factor.
      if (await hasEnabledFactor(transaction, account.id)) return null
      const enabled = await transaction
        .updateTable('factor')
        .set({ state: 'enabled', enabled_at: now, used_at: now, last_step: step })
        .where('id', '=', factorId)
        .where('state', '=', 'unverified')
        .executeTakeFirst()
      if (enabled.numUpdatedRows !== 1n) return null
      await transaction.insertInto('used_step').values({ factor_id: factorId, step }).execute()
      await replaceRecoveryCodes(transaction, account.id, set)
      const credentialVersion = await raiseCredentialVersion(transaction, account.id)
      const entry = { kind: AuditEvent.FactorEnabled, accountId: account.id, clientAddress }
      await this.#audit.record(entry, transaction)
      return credentialVersion === undefined ? null : { codes: set.codes, credentialVersion }
    })
  }
}

interface FirstProof {
  readonly factorId: string
  readonly step: number
  readonly now: number
  readonly clientAddress: string
}

function setupOf({ email }: Account, secret: Secret): TotpSetup {
  const uri = generateURI({ issuer: ISSUER, label: email, secret: secret.reveal() })
  return { secret, uri: new Secret(uri) }
}

async function hasEnabledFactor(database: Kysely<Schema>, accountId: string): Promise<boolean> {
  const row = await database
    .selectFrom('factor')
    .select('id')
    .where('account_id', '=', accountId)
    .where('state', '=', sql.lit('enabled'))
    .executeTakeFirst()
  return row !== undefined
}

function unverifiedFactor(
  database: Kysely<Schema>,
  accountId: string,
  now: number,
): Promise<{ readonly id: string; readonly secret: string } | undefined> {
  return database
    .selectFrom('factor')
    .select(['id', 'secret'])
    .where('account_id', '=', accountId)
    .where('state', '=', sql.lit('unverified'))
    .where('created_at', '>', now - ENROLLMENT_SECONDS)
    .where('created_at', '<=', now)
    .executeTakeFirst()
}

// One that is dated in the future, because the clock was set back, would never expire.
async function dropAbandoned(database: Kysely<Schema>, accountId: string, now: number): Promise<void> {
  await database
    .deleteFrom('factor')
    .where('account_id', '=', accountId)
    .where('state', '=', sql.lit('unverified'))
    .where((where) =>
      where.or([where('created_at', '<=', now - ENROLLMENT_SECONDS), where('created_at', '>', now)]),
    )
    .execute()
}

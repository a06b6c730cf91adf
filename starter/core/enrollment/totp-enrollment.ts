import { type Kysely, sql } from 'kysely'
import { inject } from 'sallyport'
import { Database } from '../database/database.ts'
import { allOrNothing } from '../database/all-or-nothing.ts'
import type { Schema } from '../database/schema.ts'
import type { Account } from '../accounts/account.ts'
import { CredentialVersions, type HeldCredentials } from '../accounts/credential-version.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import { Attempts } from '../limits/attempts.ts'
import { ENROLLMENT_LIMIT } from '../limits/limits.ts'
import { FactorPolicy } from '../factors/factor-policy.ts'
import { dropOtherFactors } from '../factors/drop-factors.ts'
import { type CodesRequest, RecoveryCodes, type RenewedCodes } from '../factors/recovery-codes.ts'
import { type RecoveryCodeSet, replaceRecoveryCodes } from '../factors/recovery-code-sets.ts'
import { type FirstCode, type NewFactor, type TotpSetup, UnverifiedTotp } from '../factors/unverified-totp.ts'

/** A factor that counts from now on. */
export interface EnrolledFactor {
  /** The recovery codes, to be shown once. */
  readonly codes: readonly string[]
  /** The new credential version: every other session of the account has ended. */
  readonly credentialVersion: number
}

/** The first code of a new authenticator. */
export interface FirstTry extends Client, HeldCredentials {
  /** Identifier of the enrollment. */
  readonly factorId: string
  /** The submitted value, of any type. */
  readonly code: unknown
}

/** The first factor of an account: a secret is shown, and counts once a code of it was proven. */
export class TotpEnrollment {
  readonly #database = inject(Database)
  readonly #unverified = inject(UnverifiedTotp)
  readonly #attempts = inject(Attempts)
  readonly #codes = inject(RecoveryCodes)
  readonly #audit = inject(AuditTrail)
  readonly #versions = inject(CredentialVersions)
  readonly #policy = inject(FactorPolicy)

  /**
   * Shows the secret to set up: the same one until it expires, so that a page can be loaded again.
   *
   * @returns What an authenticator needs; undefined when the account has an enabled factor already.
   */
  begin(account: Account, factor: NewFactor, take?: Replacement): Promise<TotpSetup | undefined> {
    return this.#database.transaction().execute(async (transaction) => {
      // A replacement leaves the other factors alone until it is proven; it has no secret to show after that.
      const rival = take === undefined ? undefined : factor.id
      if (await hasEnabledFactor(transaction, account.id, rival)) return undefined
      return this.#unverified.show(transaction, account, factor)
    })
  }

  /**
   * Enables the factor with its first code, which counts as used, and replaces the recovery codes: all in one transaction with
   * the record of it, and with the end of every other session of the account.
   *
   * @returns The recovery codes; null for a wrong code; `gone` for a secret that does not wait for a code any more; `outdated` when
   *   something else has changed the credentials of the account meanwhile, or given it a factor, or the enrollment has ended: nothing is
   *   enabled or counted then.
   * @throws {TooManyRequestsException} If there were too many wrong codes.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash; nothing is counted then.
   */
  async prove(
    account: Account,
    typed: FirstTry,
    take?: Replacement,
  ): Promise<EnrolledFactor | 'outdated' | 'gone' | null> {
    const { factorId, code } = typed
    const limited = [ENROLLMENT_LIMIT.of(account.id)]
    await this.#attempts.assertOpen(limited)
    const proof = await this.#unverified.match(account, factorId, code)
    if (proof === null) {
      await this.#attempts.count(limited)
      return null
    }
    await this.#attempts.assertOpen(limited)
    if (proof === 'gone') return proof
    const set = await this.#codes.prepare(account.id, typed)
    return (await this.#enable(account, { ...typed, ...proof, take }, set)) ?? 'outdated'
  }

  /**
   * Makes new recovery codes for a factor that was just enrolled, whose codes its owner did not see or keep.
   *
   * @returns The codes, to be shown once, and the old ones stop counting; undefined when the credentials have changed meanwhile, or the
   *   enrollment has ended.
   * @throws {TooManyRequestsException} If that was asked for too often.
   */
  renewCodes(account: Account, asked: CodesRequest): Promise<RenewedCodes | undefined> {
    return this.#attempts.spend([ENROLLMENT_LIMIT.of(account.id)], () => this.#codes.renew(account.id, asked))
  }

  /**
   * Returns the same enrollment for an account whose factors are lost. They are removed in the transaction that enables the new one,
   * and only there: the account is never without a factor.
   *
   * @returns The enrollment.
   */
  replacing(take: Replacement): Pick<TotpEnrollment, 'begin' | 'prove'> {
    return {
      begin: (account, factor) => this.begin(account, factor, take),
      prove: (account, typed) => this.prove(account, typed, take),
    }
  }

  // The version is compared: an enrollment that was cancelled, or began before something else changed the credentials, enables nothing.
  #enable(account: Account, proof: FirstProof, set: RecoveryCodeSet): Promise<EnrolledFactor | undefined> {
    const { clientAddress, device, take } = proof
    return allOrNothing(this.#database, async (transaction) => {
      const mayEnable =
        take === undefined ? !(await hasEnabledFactor(transaction, account.id)) : await take(transaction)
      if (!mayEnable) return undefined
      const credentialVersion = await this.#versions.advance(transaction, account.id, proof)
      if (credentialVersion === undefined) return undefined
      if (!(await this.#unverified.enable(transaction, account.id, proof))) return undefined
      if (take !== undefined) await dropOtherFactors(transaction, account.id, proof.factorId)
      await replaceRecoveryCodes(transaction, account.id, set)
      await this.#policy.fulfilled(transaction, account.id)
      const entry = { kind: AuditEvent.FactorEnabled, accountId: account.id, clientAddress, device }
      await this.#audit.record(entry, transaction)
      return { codes: set.codes, credentialVersion }
    })
  }
}

/** Uses up, in a transaction, what allows the replacement of all factors: true for one caller only. */
export type Replacement = (transaction: Kysely<Schema>) => Promise<boolean>

type FirstProof = FirstCode & FirstTry & { readonly take: Replacement | undefined }

async function hasEnabledFactor(database: Kysely<Schema>, accountId: string, id?: string): Promise<boolean> {
  const row = await database
    .selectFrom('factor')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', '=', sql.lit('totp'))
    .where('state', '=', sql.lit('enabled'))
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .executeTakeFirst()
  return row !== undefined
}

import type { Kysely } from 'kysely'
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
import { FactorPolicy } from './factor-policy.ts'
import type { HeldKind } from './factor-kinds.ts'
import { RecoveryCodes } from './recovery-codes.ts'
import { type RecoveryCodeSet, replaceRecoveryCodes } from './recovery-code-sets.ts'
import { SecondFactors } from './second-factors.ts'
import { type FirstCode, type NewFactor, type TotpSetup, UnverifiedTotp } from './unverified-totp.ts'

/** How many authenticators an account may have at once: a code is compared with each of them. */
export const MAX_AUTHENTICATORS = 25

/** The first code of an authenticator, typed by a signed-in user. */
export interface TypedSetup extends Client, HeldCredentials {
  /** Identifier of the set-up, as the session keeps it. */
  readonly factorId: string
  /** Identifier of the authenticator whose place it takes; null for none. */
  readonly replaces: string | null
  /** Name that its owner chose. */
  readonly label: string
  /** The submitted value, of any type. */
  readonly code: unknown
}

/** An authenticator that counts from now on. */
export interface AddedFactor {
  /** The new credential version: every other session of the account has ended. */
  readonly credentialVersion: number
  /** The recovery codes that come with the first factor of an account, to be shown once; otherwise undefined. */
  readonly set: RecoveryCodeSet | undefined
  /** Its kind. */
  readonly kind: HeldKind
  /** Name of the authenticator whose place it took; undefined for none. */
  readonly replaced: string | undefined
}

/** Why a code did nothing that was right, or was not looked at. See `FactorSetups.prove()`. */
export type SetupRefusal = 'outdated' | 'gone' | 'count'

/** Authenticators that a signed-in user sets up: in addition to others, in the place of one, or as the first one. */
export class FactorSetups {
  readonly #database = inject(Database)
  readonly #unverified = inject(UnverifiedTotp)
  readonly #secondFactors = inject(SecondFactors)
  readonly #attempts = inject(Attempts)
  readonly #codes = inject(RecoveryCodes)
  readonly #audit = inject(AuditTrail)
  readonly #versions = inject(CredentialVersions)
  readonly #policy = inject(FactorPolicy)

  /** @returns What an authenticator needs; undefined when this set-up was proven meanwhile. */
  begin(account: Account, factor: NewFactor): Promise<TotpSetup | undefined> {
    return this.#database.transaction().execute(async (transaction) => {
      if (await isProven(transaction, factor.id)) return undefined
      return this.#unverified.show(transaction, account, factor)
    })
  }

  /** @returns Whether the account has as many authenticators as it may. */
  async isFull(accountId: string): Promise<boolean> {
    const { count } = await this.#database
      .selectFrom('factor')
      .select((select) => select.fn.countAll().as('count'))
      .where('account_id', '=', accountId)
      .where('secret', 'is not', null)
      .where('state', '=', 'enabled')
      .executeTakeFirstOrThrow()
    return Number(count) >= MAX_AUTHENTICATORS
  }

  /**
   * Enables the authenticator with its first code, which counts as used: in one transaction with the removal of the one that it
   * replaces, the end of every other session of the account, and the record.
   *
   * @returns What was added; null for a wrong code; `gone` for a secret that has expired or made way for those of other sessions;
   *   `count` when the account has `MAX_AUTHENTICATORS`; `outdated` when another request has proven it, or the credentials have changed meanwhile: nothing is enabled or counted then.
   * @throws {TooManyRequestsException} If there were too many wrong codes.
   * @throws {ServiceUnavailableException} If too many callers wait for a hash; nothing is counted then.
   */
  async prove(account: Account, typed: TypedSetup): Promise<AddedFactor | SetupRefusal | null> {
    const limited = [ENROLLMENT_LIMIT.of(account.id)]
    await this.#attempts.assertOpen(limited)
    const first = await this.#unverified.match(account, typed.factorId, typed.code)
    if (first === null) {
      await this.#attempts.count(limited)
      return null
    }
    await this.#attempts.assertOpen(limited)
    if (first === 'gone') return (await isProven(this.#database, typed.factorId)) ? 'outdated' : 'gone'
    // The version that the session has kept is older than this count: one that is added meanwhile makes it outdated.
    const isOver = typed.replaces === null && (await this.isFull(account.id))
    const added = isOver ? 'count' : await this.#enable(account.id, { ...typed, first })
    return added ?? 'outdated'
  }

  // The version is compared first: as long as it is the same, no other factor has come or gone since.
  async #enable(accountId: string, proven: ProvenSetup): Promise<AddedFactor | undefined> {
    const { first, replaces, label, clientAddress, device } = proven
    const isOnly = !(await this.#secondFactors.isRequired(accountId))
    const set = isOnly ? await this.#codes.prepare(accountId, proven) : undefined
    return allOrNothing(this.#database, async (transaction) => {
      const credentialVersion = await this.#versions.advance(transaction, accountId, proven)
      if (credentialVersion === undefined) return undefined
      if (!(await this.#unverified.enable(transaction, accountId, first))) return undefined
      await transaction.updateTable('factor').set({ label }).where('id', '=', first.factorId).execute()
      const replaced = replaces === null ? undefined : await removeFactor(transaction, accountId, replaces)
      if (replaces !== null && replaced === undefined) return undefined
      if (set !== undefined) await replaceRecoveryCodes(transaction, accountId, set)
      await this.#policy.fulfilled(transaction, accountId)
      const kind = replaces === null ? AuditEvent.FactorEnabled : AuditEvent.FactorReplaced
      await this.#audit.record({ kind, accountId, clientAddress, device }, transaction)
      return { credentialVersion, kind: first.kind, set, replaced }
    })
  }
}

interface ProvenSetup extends TypedSetup {
  readonly first: FirstCode
}

async function isProven(database: Kysely<Schema>, id: string): Promise<boolean> {
  const row = await database
    .selectFrom('factor')
    .select('id')
    .where('id', '=', id)
    .where('state', '=', 'enabled')
    .executeTakeFirst()
  return row !== undefined
}

/** @returns Its name; undefined when the account has no such factor that counts. */
export async function removeFactor(
  database: Kysely<Schema>,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  const removed = await database
    .deleteFrom('factor')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('state', '=', 'enabled')
    .returning('label')
    .executeTakeFirst()
  return removed?.label
}

import type { Kysely } from 'kysely'
import { inject } from 'sallyport'
import { allOrNothing } from 'sallyport-app/database'
import type { Client } from 'sallyport-app/clients'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { CredentialVersions, type HeldCredentials } from '../accounts/credential-version.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Notices } from '../mail/notices.ts'
import { FactorPolicy } from './factor-policy.ts'
import { dropRecoveryCodes } from './recovery-codes.ts'
import { holdsFactor } from './second-factors.ts'

/** A factor of an account, and who asks. */
export interface OwnFactor extends Client {
  readonly accountId: string
  readonly id: string
}

/** What owners do to factors that count. */
export class FactorChanges {
  readonly #database = inject(Database)
  readonly #policy = inject(FactorPolicy)
  readonly #audit = inject(AuditTrail)
  readonly #versions = inject(CredentialVersions)
  readonly #notices = inject(Notices)

  /** @returns Whether the account has it. */
  rename({ accountId, id, clientAddress, device }: OwnFactor, label: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('factor')
        .set({ label })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .where('state', '=', 'enabled')
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      const entry = { kind: AuditEvent.FactorRenamed, accountId, clientAddress, device }
      await this.#audit.record(entry, transaction)
      return true
    })
  }

  /**
   * Removes a factor. It stops counting at once, and every other session and pending login of the account ends. With the
   * last factor of all, the recovery codes go too: they open a door that is not there, and must not open that of a later factor.
   *
   * @returns The new credential version; `last` when the account must hold one, and `unknown` when it has no such one by now.
   */
  async remove(
    { accountId, id, clientAddress, device }: OwnFactor,
    held: HeldCredentials,
  ): Promise<number | 'last' | 'unknown'> {
    if (!(await this.#policy.mayRemove(accountId, id))) return 'last'
    const removed = await allOrNothing(this.#database, async (transaction) => {
      // Compared first: as long as it is the same, no other factor has gone since.
      const credentialVersion = await this.#versions.advance(transaction, accountId, held)
      if (credentialVersion === undefined) return undefined
      const label = await removeFactor(transaction, accountId, id)
      if (label === undefined) return undefined
      const holder = await transaction
        .selectFrom('account')
        .select('account.id')
        .where('account.id', '=', accountId)
        .where(holdsFactor)
        .executeTakeFirst()
      if (holder === undefined) await dropRecoveryCodes(transaction, accountId)
      const entry = { kind: AuditEvent.FactorRemoved, accountId, clientAddress, device }
      await this.#audit.record(entry, transaction)
      const kind = holder === undefined ? 'last-factor-removed' : 'factor-removed'
      await this.#notices.tell({ kind, accountId, values: { label } }, transaction)
      return credentialVersion
    })
    return removed ?? 'unknown'
  }
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

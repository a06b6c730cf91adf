import type { Kysely } from 'kysely'
import { inject } from 'sallyport'
import type { SessionOwner } from 'sallyport-app/sessions'
import { type Changing, CredentialChanges } from '../accounts/credential-change.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { FactorPolicy } from './factor-policy.ts'
import { dropRecoveryCodes } from './recovery-codes.ts'
import { holdsFactor } from './second-factors.ts'

/** What owners do to factors that count. */
export class FactorChanges {
  readonly #database = inject(Database)
  readonly #policy = inject(FactorPolicy)
  readonly #audit = inject(AuditTrail)
  readonly #changes = inject(CredentialChanges)

  /** @returns Whether the account has it. */
  rename(owner: SessionOwner, id: string, label: string): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('factor')
        .set({ label })
        .where('id', '=', id)
        .where('account_id', '=', owner.accountId)
        .where('state', '=', 'enabled')
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      await this.#audit.record({ kind: AuditEvent.FactorRenamed, ...owner }, transaction)
      return true
    })
  }

  /**
   * Removes a factor. It stops counting at once, and every other session and pending login of the account ends. With the
   * last factor of all, the recovery codes go too: they open a door that is not there, and must not open that of a later factor.
   *
   * @returns The new credential version; `last` when the account must hold one, and `unknown` when it has no such one by now.
   */
  async remove(by: Changing, id: string): Promise<number | 'last' | 'unknown'> {
    const { accountId } = by
    if (!(await this.#policy.mayRemove(accountId, id))) return 'last'
    const removed = await this.#changes.make(by, async (transaction) => {
      const label = await removeFactor(transaction, accountId, id)
      if (label === undefined) return undefined
      const holder = await transaction
        .selectFrom('account')
        .select('account.id')
        .where('account.id', '=', accountId)
        .where(holdsFactor)
        .executeTakeFirst()
      if (holder === undefined) await dropRecoveryCodes(transaction, accountId)
      const kind = holder === undefined ? 'last-factor-removed' : 'factor-removed'
      return { event: AuditEvent.FactorRemoved, notices: [{ kind, accountId, values: { label } }] }
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

import { inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { Database } from '../../core/database/database.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'

/** The change of a name by its owner. A name proves nothing, so no session ends and nobody is told. */
export class NameChange {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)

  /** Changes the name, and records that, without the name: the trail outlives the account. */
  change(accountId: string, name: string, client: Client): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('account')
        .set({ name })
        .where('id', '=', accountId)
        .where('state', '=', 'active')
        .where('name', '<>', name)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return false
      await this.#audit.record({ kind: 'name-changed', accountId, ...client }, transaction)
      return true
    })
  }
}

import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'
import { AuditEvent, type AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'

/** The change of a name by its owner. A name proves nothing, so no session ends and nobody is told. */
export class NameChange {
  readonly #database: Kysely<Schema>
  readonly #audit: AuditTrail

  /**
   * @param services `database` of the accounts and the `audit` trail.
   */
  constructor(services: { readonly database: Kysely<Schema>; readonly audit: AuditTrail }) {
    this.#database = services.database
    this.#audit = services.audit
  }

  /**
   * Changes the name and records that, without the name: the trail outlives the account.
   *
   * @param accountId Account reference.
   * @param name The new name, already judged.
   * @param client Where it was typed.
   * @returns Whether it was another one before.
   */
  change(accountId: string, name: string, client: Client): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const changed = await transaction
        .updateTable('account')
        .set({ name })
        .where('id', '=', accountId)
        .where('state', '=', 'active')
        .where('name', '<>', name)
        .executeTakeFirst()
      if (changed.numUpdatedRows !== 1n) return false
      await this.#audit.record({ kind: AuditEvent.NameChanged, accountId, ...client }, transaction)
      return true
    })
  }
}

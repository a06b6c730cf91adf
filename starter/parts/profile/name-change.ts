import { Clock, inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { Database } from '../../core/database/database.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { keepFormerName } from '../../core/accounts/users.ts'

/** The change of a name by its owner. A name proves nothing, so no session ends and nobody is told. */
export class NameChange {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)

  /** Changes the name, keeps the former one for a while, and records that, without the name: the trail outlives the account. */
  change(accountId: string, name: string, client: Client): Promise<boolean> {
    return this.#database.transaction().execute(async (transaction) => {
      const former = await transaction
        .selectFrom('account')
        .select('name')
        .where('id', '=', accountId)
        .where('state', '=', 'active')
        .where('name', '<>', name)
        .executeTakeFirst()
      if (former === undefined) return false
      await transaction.updateTable('account').set({ name }).where('id', '=', accountId).execute()
      await keepFormerName(transaction, accountId, { name: former.name, now: this.#clock.timestamp() })
      await this.#audit.record({ kind: 'name-changed', accountId, ...client }, transaction)
      return true
    })
  }
}

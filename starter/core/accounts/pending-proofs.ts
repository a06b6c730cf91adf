import type { Kysely } from 'kysely'
import { inject } from 'sallyport'
import { Parts } from '../part.ts'
import type { Schema } from '../database/schema.ts'

/** What was begun by mails to the address of an account. */
export class PendingProofs {
  readonly #parts = inject(Parts)

  /**
   * Ends it, because the account leaves the address: new passwords and whatever parts begin by mail. They are void by the
   * credential version already; nothing of them stays.
   */
  async end(transaction: Kysely<Schema>, accountId: string, now: number): Promise<void> {
    await transaction.deleteFrom('password_reset').where('account_id', '=', accountId).execute()
    for (const part of this.#parts.all) await part.addressLeft?.(transaction, accountId, now)
  }
}

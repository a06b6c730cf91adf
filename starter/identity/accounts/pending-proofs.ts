import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/**
 * Ends what was begun by mails to an address that the account leaves: new passwords, recoveries and changes of the address. They
 * are void by the credential version already; nothing of them stays.
 *
 * @param transaction The transaction that raises the credential version.
 * @param accountId Account reference.
 * @param now Unix timestamp in seconds.
 */
export async function endPendingProofs(
  transaction: Kysely<Schema>,
  accountId: string,
  now: number,
): Promise<void> {
  for (const table of ['password_reset', 'address_change'] as const)
    await transaction.deleteFrom(table).where('account_id', '=', accountId).execute()
  await transaction
    .updateTable('factor_recovery')
    .set({ ended_at: now, outcome: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .execute()
}

import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/**
 * Removes every second factor of an account, of every kind, except one. An account that had one keeps one.
 *
 * @param transaction The transaction that enabled the one that stays.
 * @param accountId Account reference.
 * @param kept Identifier of the factor that stays.
 */
export async function dropOtherFactors(
  transaction: Kysely<Schema>,
  accountId: string,
  kept: string,
): Promise<void> {
  for (const table of ['factor', 'passkey', 'hotp_factor'] as const)
    await transaction.deleteFrom(table).where('account_id', '=', accountId).where('id', '<>', kept).execute()
}

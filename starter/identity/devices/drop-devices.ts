import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/**
 * Ends the trust in every browser of an account, also where trusted browsers were switched off since.
 *
 * @param database The transaction that changes what proves the account.
 * @param accountId Account reference.
 */
export async function dropTrustedDevices(database: Kysely<Schema>, accountId: string): Promise<void> {
  await database.deleteFrom('trusted_device').where('account_id', '=', accountId).execute()
}

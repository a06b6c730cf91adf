import type { Kysely } from 'kysely'
import { changesOf, GIVEN, queries } from '../../database/built-queries.ts'
import type { Schema } from '../../database/schema.ts'

const DROP = queries.deleteFrom('trusted_device').where('account_id', '=', GIVEN).compile()

/**
 * Ends the trust in every browser of an account, also where trusted browsers were switched off since.
 *
 * @param database The transaction that changes what proves the account.
 * @param accountId Account reference.
 */
export async function dropTrustedDevices(database: Kysely<Schema>, accountId: string): Promise<void> {
  await changesOf(database, DROP, [accountId])
}

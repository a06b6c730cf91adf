import { type Kysely, sql } from 'kysely'
import { changesOf, GIVEN, queries } from '../../database/built-queries.ts'
import type { Schema } from '../../database/schema.ts'

// Nobody has decided it, so nobody is recorded as having done so. Without a time it has not expired either, but ended by this.
const END = queries
  .updateTable('factor_reset')
  .set({ state: sql.lit('cancelled') })
  .where('account_id', '=', GIVEN)
  .where('state', '=', sql.lit('requested'))
  .compile()

/**
 * Ends the request to reset the factors of an account that waits for a second person: its owner holds what was said to be lost, or the
 * credentials have changed since it was made. A later approval would remove factors that nobody has asked about.
 *
 * @param database The transaction that records the login, or changes what proves the account.
 * @param accountId Account reference.
 */
export async function endResetRequests(database: Kysely<Schema>, accountId: string): Promise<void> {
  await changesOf(database, END, [accountId])
}

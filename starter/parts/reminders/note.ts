import type { Expression, Kysely } from 'kysely'
import type { Schema } from '../../core/database/schema.ts'

/**
 * Notes that an owner is told. The row count decides: of several processes at once, one tells.
 *
 * @param found Query for what it is about, by its identifier: no row when there is nothing to tell any more.
 * @returns Whether this call noted it.
 */
export async function note(
  database: Kysely<Schema>,
  found: Expression<{ id: string; expires_at: number }>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await database
    .insertInto('reminder')
    .columns(['about', 'expires_at'])
    .expression(found)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

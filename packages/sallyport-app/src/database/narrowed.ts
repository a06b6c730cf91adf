import type { Kysely } from 'kysely'
import type { Connection } from './database.ts'

/**
 * Sees a database as one with some of its tables. Kysely's types say that it is another one; what is asked of these tables is the same.
 *
 * @returns The same connection or transaction.
 */
export function narrowed<Own, All extends Own>(database: Connection<All>): Kysely<Own> {
  return database as unknown as Kysely<Own>
}

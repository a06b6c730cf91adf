import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

// Factors of some kinds have tables of their own, in applications that offer them.
const HOLDING_FACTORS: readonly string[] = ['factor', 'recovery_code', 'recovery_code_set', 'passkey']
const HOLDING_SECRETS: readonly string[] = ['factor']

/**
 * @param database The database, or a transaction.
 * @returns Names of the tables with factors of any kind: none of their rows may survive a reset.
 */
export function factorTables(database: Kysely<Schema>): Promise<readonly string[]> {
  return existing(database, HOLDING_FACTORS)
}

/**
 * @param database The database, or a transaction.
 * @returns Names of the tables with secrets that the vault has sealed.
 */
export function sealedTables(database: Kysely<Schema>): Promise<readonly string[]> {
  return existing(database, HOLDING_SECRETS)
}

async function existing(database: Kysely<Schema>, names: readonly string[]): Promise<readonly string[]> {
  const tables = new Set((await database.introspection.getTables()).map(({ name }) => name))
  return names.filter((name) => tables.has(name))
}

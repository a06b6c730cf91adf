/** Tables of PostgreSQL with as many rows as many accounts have. @module */
import type { Client } from 'pg'

// Columns that say whose a row is, where no key does.
const OWNERS = /(?:^|_)(?:id|owner)$/

interface Column {
  readonly table: string
  readonly name: string
  readonly isText: boolean
  /** Whether the database numbers the rows by it. */
  readonly isNumber: boolean
  readonly isUnique: boolean
}

/**
 * Copies each row of each table: the copies belong to other accounts, and are else like it.
 *
 * @param copies How many copies of each.
 * @returns The tables that have rows.
 */
export async function copyRows(client: Client, copies: number): Promise<ReadonlySet<string>> {
  const filled = new Set<string>()
  // Copies may stand before the rows that they belong to.
  await client.query('SET default_transaction_read_only = off; SET session_replication_role = replica')
  for (const [table, columns] of Map.groupBy(await columnsOf(client), (column) => column.table)) {
    const given = columns.filter(({ isNumber }) => !isNumber)
    const names = given.map(({ name }) => name).join()
    const values = given.map(({ name, isText, isUnique }) =>
      isText && (isUnique || OWNERS.test(name)) ? `${name} || '-' || copy` : name,
    )
    const { rowCount } = await client.query(
      `INSERT INTO ${table} (${names}) SELECT ${values.join()} FROM ${table}, generate_series(1, ${copies}) AS copy`,
    )
    if (rowCount === 0) continue
    await client.query(`ANALYZE ${table}`)
    filled.add(table)
  }
  return filled
}

async function columnsOf(client: Client): Promise<readonly Column[]> {
  const { rows } = await client.query<Column>(`
    SELECT attrelid::regclass::text AS "table", attname::text AS name, atttypid = 'text'::regtype AS "isText",
      attidentity <> '' AS "isNumber", EXISTS (
        SELECT FROM pg_index WHERE indrelid = attrelid AND indisunique AND attnum = ANY (indkey)
      ) AS "isUnique"
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname NOT LIKE 'kysely_%'
      AND attnum > 0 AND NOT attisdropped`)
  return rows
}

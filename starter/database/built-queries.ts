import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Schema } from './schema.ts'

/**
 * Builds queries when the program starts, without a database. Kysely takes longer to build a small query than SQLite to run
 * it, so what every request or page reads is built once. Its values are given when it runs.
 */
export const queries: Kysely<Schema> = new Kysely({
  dialect: {
    createDriver: () => new DummyDriver(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (database) => new SqliteIntrospector(database),
  },
})

/** Stands for a string that is given when the query runs. */
export const GIVEN = ''

/** Stands for a number that is given when the query runs. */
export const GIVEN_NUMBER = 0

/**
 * Builds a query with a list once for each length of the list.
 *
 * @param build Builds it for a length.
 * @returns The query for a length.
 */
export function bySize<Row>(
  build: (size: number) => CompiledQuery<Row>,
): (size: number) => CompiledQuery<Row> {
  const built = new Map<number, CompiledQuery<Row>>()
  return (size) => {
    const query = built.get(size) ?? build(size)
    built.set(size, query)
    return query
  }
}

/**
 * Runs a query that was built before.
 *
 * @param database The database, or a transaction.
 * @param query The compiled query.
 * @param values The values of its parameters, in the order in which they were built in.
 * @returns The rows.
 * @throws {TypeError} If there are more or fewer values than parameters.
 */
export async function rowsOf<Row>(
  database: Kysely<Schema>,
  query: CompiledQuery<Row>,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  return (await run(database, query, values)).rows
}

/**
 * Runs a statement that was built before.
 *
 * @param database The database, or a transaction.
 * @param statement The compiled statement.
 * @param values The values of its parameters, in the order in which they were built in.
 * @returns How many rows it changed.
 * @throws {TypeError} If there are more or fewer values than parameters.
 */
export async function changesOf(
  database: Kysely<Schema>,
  statement: CompiledQuery,
  values: readonly unknown[],
): Promise<bigint> {
  return (await run(database, statement, values)).numAffectedRows ?? 0n
}

function run<Row>(
  database: Kysely<Schema>,
  query: CompiledQuery<Row>,
  values: readonly unknown[],
): Promise<QueryResult<Row>> {
  if (values.length !== query.parameters.length)
    throw new TypeError(`Cannot run a query of ${query.parameters.length} values with ${values.length}`)
  return database.executeQuery<Row>({ ...query, parameters: values })
}

import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Part } from '../part.ts'
import { core } from './migrations/core.ts'

/** The database was migrated by another version of this application, which may be newer or have been abandoned. */
export class UnknownMigrationError extends Error {
  constructor(migration: string) {
    super(`Cannot use the database: another version has migrated it to "${migration}"`)
    this.name = 'UnknownMigrationError'
  }
}

/** The database claims to be up to date, but a part of it is missing. */
export class IncompleteDatabaseError extends Error {
  /** Names of the tables and triggers that are missing. */
  readonly missing: readonly string[]

  constructor(missing: readonly string[]) {
    super(`Cannot use the database: it has no ${missing.join(', ')}`)
    this.name = 'IncompleteDatabaseError'
    this.missing = missing
  }
}

type Statements = Readonly<Record<string, readonly string[]>>

// They run in the order of their names, the tables of the core before those that refer to them. A released one is never edited:
// the next change of a part is one more, such as `part_tokens_2`.
const STATEMENTS: Statements = {
  core,
}

function statementsOf(parts: readonly Part[]): Statements {
  const ofParts = parts.flatMap(({ name, migration }) =>
    migration === undefined ? [] : [[`part_${name.replaceAll('-', '_')}`, migration] as const],
  )
  return { ...STATEMENTS, ...Object.fromEntries(ofParts) }
}

function toMigration(statements: readonly string[]): Migration {
  return {
    async up(database: Kysely<unknown>): Promise<void> {
      for (const statement of statements) await sql.raw(statement).execute(database)
    },
  }
}

/**
 * Migrates a database to the newest version: all missing migrations, or none. The write lock is taken first, so of two
 * processes that start at once, the second waits and finds nothing to do.
 *
 * @throws {UnknownMigrationError} If it holds migrations that this version does not know.
 * @throws {IncompleteDatabaseError} If a table or trigger is missing although its migration has run.
 * @throws {Error} If a migration fails; the database is unchanged then.
 */
export async function migrate<S>(database: Kysely<S>, parts: readonly Part[]): Promise<void> {
  const statements = statementsOf(parts)
  await database.transaction().execute(async (transaction) => {
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => migrationsOf(statements) },
      // Kysely orders migrations by the time at which they ran, and clocks are set.
      allowUnorderedMigrations: true,
    })
    await refuseNewer(transaction, statements)
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw new Error('Cannot migrate the database', { cause: error })
    await refuseIncomplete(transaction, statements)
  })
}

function migrationsOf(statements: Statements): Record<string, Migration> {
  return Object.fromEntries(Object.entries(statements).map(([name, each]) => [name, toMigration(each)]))
}

// The migrator trusts its list of migrations, even if tables were dropped since.
async function refuseIncomplete<S>(database: Kysely<S>, statements: Statements): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema`.execute(database)
  const names = new Set(rows.map(({ name }) => name))
  // The tables, and the triggers that protect the audit trail from changes.
  const expected = Object.values(statements)
    .flat()
    .flatMap((statement) => /^CREATE (?:TABLE|TRIGGER) (\w+)/.exec(statement)?.[1] ?? [])
  const missing = expected.filter((name) => !names.has(name))
  if (missing.length > 0) throw new IncompleteDatabaseError(missing)
}

async function refuseNewer<S>(database: Kysely<S>, statements: Statements): Promise<void> {
  const tables = await sql`SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'`.execute(database)
  if (tables.rows.length === 0) return
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(
    database,
  )
  const unknown = rows.find(({ name }) => !Object.hasOwn(statements, name))
  if (unknown !== undefined) throw new UnknownMigrationError(unknown.name)
}

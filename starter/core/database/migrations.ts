import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Part } from '../part.ts'
import { core } from './migrations/core.ts'

/** The database cannot be used as it is. The message goes on after its path. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
}

// They run in the order of their names, the tables of the core before those that refer to them. A released one is never edited:
// the next change of a part is one more, such as `part_tokens_2`.
function statementsOf(parts: readonly Part[]): ReadonlyMap<string, readonly string[]> {
  const ofParts = parts.flatMap(({ name, migration }) =>
    migration === undefined ? [] : [[`part_${name.replaceAll('-', '_')}`, migration] as const],
  )
  return new Map([['core', core], ...ofParts])
}

/**
 * Migrates a database to the newest version: all missing migrations, or none. The write lock is taken first, so of two processes that
 * start at once, the second waits and finds nothing to do.
 *
 * @throws {UnusableDatabaseError} If it holds migrations that this version does not know, or a table or trigger is missing.
 * @throws {Error} If a migration fails; the database is unchanged then.
 */
export async function migrate<S>(database: Kysely<S>, parts: readonly Part[]): Promise<void> {
  const statements = statementsOf(parts)
  const migrations = Object.fromEntries([...statements].map(([name, each]) => [name, toMigration(each)]))
  await database.transaction().execute(async (transaction) => {
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => migrations },
      // Kysely orders migrations by the time at which they ran, and clocks are set.
      allowUnorderedMigrations: true,
    })
    await refuseNewer(transaction, statements)
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw new Error('Cannot migrate the database', { cause: error })
    await refuseIncomplete(transaction, [...statements.values()].flat())
  })
}

function toMigration(statements: readonly string[]): Migration {
  return {
    async up(database: Kysely<unknown>): Promise<void> {
      for (const statement of statements) await sql.raw(statement).execute(database)
    },
  }
}

async function refuseNewer<S>(
  database: Kysely<S>,
  known: ReadonlyMap<string, readonly string[]>,
): Promise<void> {
  if (!(await namesOf(database, 'sqlite_schema')).has('kysely_migration')) return
  for (const name of await namesOf(database, 'kysely_migration'))
    if (!known.has(name))
      throw new UnusableDatabaseError(
        `was made by another version of this application, with "${name}": start that version, restore an older copy, or move it away`,
      )
}

// The migrator trusts its list of migrations, even if tables were dropped since, or the triggers that protect the audit trail.
async function refuseIncomplete<S>(database: Kysely<S>, statements: readonly string[]): Promise<void> {
  const names = await namesOf(database, 'sqlite_schema')
  const missing = statements
    .flatMap((statement) => /^CREATE (?:TABLE|TRIGGER) (\w+)/.exec(statement)?.[1] ?? [])
    .filter((name) => !names.has(name))
  if (missing.length > 0)
    throw new UnusableDatabaseError(`has no ${missing.join(', ')}: restore it from a copy, or move it away`)
}

async function namesOf<S>(database: Kysely<S>, table: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(table)}`.execute(database)
  return new Set(rows.map(({ name }) => name))
}

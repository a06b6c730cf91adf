import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Engine, Statement } from './engine.ts'

/** A migration of an application. It is never edited once it is released: a later one changes what it has made. */
export interface NamedMigration {
  /** Its name. Migrations run in the order of their names, whichever of them ran before. */
  readonly name: string
  /** Its statements, in their order. */
  readonly statements: readonly Statement[]
}

/** The database cannot be used as it is. The message goes on after its path, such as `has no note: restore it from a copy`. */
export class UnusableDatabaseError extends Error {
  /** Its name, which does not change when the code is bundled. */
  override readonly name = 'UnusableDatabaseError'
}

/**
 * Migrates a database to the newest version: all missing migrations, or none. The write lock is taken first, so of two processes that
 * start at once, the second waits and finds nothing to do.
 *
 * @param engine Where the database is kept.
 *
 * @throws {UnusableDatabaseError} If it holds migrations that this version does not know, or a table or trigger is missing.
 * @throws {Error} If a migration fails; the database is unchanged then.
 */
export async function migrate<S>(
  database: Kysely<S>,
  { migrations: all, engine }: { readonly migrations: readonly NamedMigration[]; readonly engine: Engine },
): Promise<void> {
  const statements = new Map(all.map(({ name, statements: each }) => [name, each.map(engine.textOf)]))
  const migrations = Object.fromEntries([...statements].map(([name, each]) => [name, toMigration(each)]))
  await database.transaction().execute(async (transaction) => {
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => migrations },
      // Kysely orders migrations by the time at which they ran, and clocks are set.
      allowUnorderedMigrations: true,
    })
    await refuseNewer(transaction, { statements, engine })
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw new Error('Cannot migrate the database', { cause: error })
    await refuseIncomplete(transaction, { statements, engine })
  })
}

function toMigration(statements: readonly string[]): Migration {
  return {
    async up(database: Kysely<unknown>): Promise<void> {
      for (const statement of statements) await sql.raw(statement).execute(database)
    },
  }
}

interface Known {
  readonly statements: ReadonlyMap<string, readonly string[]>
  readonly engine: Engine
}

async function refuseNewer<S>(database: Kysely<S>, { statements, engine }: Known): Promise<void> {
  if (!(await namesOf(database, engine.schema)).has('kysely_migration')) return
  for (const name of await namesOf(database, sql.table('kysely_migration')))
    if (!statements.has(name))
      throw new UnusableDatabaseError(
        `was made by another version of this application, with "${name}": start that version, restore an older copy, or move it away`,
      )
}

// The migrator trusts its list of migrations, even if tables were dropped since, or the triggers that protect the audit trail.
async function refuseIncomplete<S>(database: Kysely<S>, { statements, engine }: Known): Promise<void> {
  const names = await namesOf(database, engine.schema)
  const missing = [...madeBy([...statements.values()].flat())].filter((name) => !names.has(name))
  if (missing.length > 0)
    throw new UnusableDatabaseError(`has no ${missing.join(', ')}: restore it from a copy, or move it away`)
}

// A later migration may drop what an earlier one has made, or make it anew under another name and rename that.
function madeBy(statements: readonly string[]): ReadonlySet<string> {
  const names = new Set<string>()
  for (const statement of statements) {
    const [, made] = /^CREATE (?:TABLE|TRIGGER) (\w+)/.exec(statement) ?? []
    const [, dropped] = /^DROP (?:TABLE|TRIGGER) (\w+)/.exec(statement) ?? []
    const [, former, renamed] = /^ALTER TABLE (\w+) RENAME TO (\w+)/.exec(statement) ?? []
    for (const name of [dropped, former]) if (name !== undefined) names.delete(name)
    for (const name of [made, renamed]) if (name !== undefined) names.add(name)
  }
  return names
}

async function namesOf<S>(
  database: Kysely<S>,
  rowsWithNames: RawBuilder<unknown>,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${rowsWithNames}`.execute(database)
  return new Set(rows.map(({ name }) => name))
}

import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Part } from '../part.ts'
import type { Engine, Statement } from './engine.ts'
import { core } from './migrations/core.ts'

/** The database cannot be used as it is. The message goes on after its path. */
export class UnusableDatabaseError extends Error {
  override readonly name = 'UnusableDatabaseError'
}

// They run in the order of their names, the tables of the core before those that refer to them, and the later ones of a part, such as
// `part_tokens.02`, after its first one.
function statementsOf(parts: readonly Part[], engine: Engine): ReadonlyMap<string, readonly string[]> {
  const ofParts = parts.flatMap(({ name, migration = [], laterMigrations = [] }) =>
    [migration, ...laterMigrations].flatMap((statements, index): [string, readonly Statement[]][] => {
      // A point, which no name of a part has; two digits, so that the tenth comes after the ninth.
      const number = index === 0 ? '' : `.${String(index + 1).padStart(2, '0')}`
      return statements.length === 0 ? [] : [[`part_${name.replaceAll('-', '_')}${number}`, statements]]
    }),
  )
  const all = [['core', core] as const, ...ofParts]
  return new Map(all.map(([name, statements]) => [name, statements.map(engine.textOf)]))
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
  { parts, engine }: { readonly parts: readonly Part[]; readonly engine: Engine },
): Promise<void> {
  const statements = statementsOf(parts, engine)
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

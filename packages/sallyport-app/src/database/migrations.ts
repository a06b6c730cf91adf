import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Engine, Statement } from './engine.ts'
import { postgresCode } from './postgres-faults.ts'
import { primaryCode } from './sqlite-dialect.ts'

// SQLite's ERROR, CONSTRAINT and MISMATCH; PostgreSQL's classes of what it does not support, of wrong data, of constraints and of wrong
// statements, to which a lack of privileges belongs, too.
const STATEMENT_CODES: ReadonlySet<number> = new Set([1, 19, 20])
const STATEMENT_CLASSES: readonly string[] = ['0A', '22', '23', '42']
const NO_PRIVILEGE = '42501'

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
 * @throws {UnusableDatabaseError} If it holds migrations that this version does not know, or tables of another application, if a table or
 *   trigger is missing, or a statement of a migration is wrong; the database is unchanged then.
 * @throws {Error} If the database cannot be used at the moment.
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
    const names = await namesOf(transaction, engine.schema)
    if (names.has('kysely_migration')) await refuseNewer(transaction, statements)
    else refuseForeign(names, statements)
    const { error, results = [] } = await migrator.migrateToLatest()
    if (error !== undefined)
      throw migrationFault(error, results.find(({ status }) => status === 'Error')?.migrationName)
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

type Statements = ReadonlyMap<string, readonly string[]>

interface Known {
  readonly statements: Statements
  readonly engine: Engine
}

async function refuseNewer<S>(database: Kysely<S>, statements: Statements): Promise<void> {
  for (const name of await namesOf(database, sql.table('kysely_migration')))
    if (!statements.has(name))
      throw new UnusableDatabaseError(
        `was made by another version of this application, with "${name}": start that version, restore an older copy, or move it away`,
      )
}

// A database without a list of migrations was never one of this application.
function refuseForeign(names: ReadonlySet<string>, statements: Statements): void {
  const taken = [...madeBy([...statements.values()].flat())].filter((name) => names.has(name))
  if (taken.length > 0)
    throw new UnusableDatabaseError(
      `belongs to another application, which has its own ${taken.join(', ')}: use another one for this application`,
    )
}

function migrationFault(error: unknown, name: string | undefined): Error {
  const fault = statementFault(error)
  if (name === undefined || fault === undefined)
    return new Error('Cannot migrate the database', { cause: error })
  return new UnusableDatabaseError(
    `is unchanged, because the migration "${name}" failed (${fault.message}): correct that migration`,
    { cause: error },
  )
}

// What is wrong whenever the statement runs, among an error and its causes.
function statementFault(error: unknown): Error | undefined {
  for (let fault = error; fault instanceof Error; fault = fault.cause) {
    const code = postgresCode(fault) ?? ''
    const isOfServer = code !== NO_PRIVILEGE && STATEMENT_CLASSES.includes(code.slice(0, 2))
    if (isOfServer || STATEMENT_CODES.has(primaryCode(fault) ?? 0)) return fault
  }
  return undefined
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

/**
 * The databases of the tests: files of SQLite, or with `STARTER_TEST_DATABASE=postgres` databases of PostgreSQL. With
 * `STARTER_TEST_SESSIONS=redis` the sessions are in Redis.
 *
 * @module
 */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { type Clock, Secret } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import { PostgresSessionStore } from 'sallyport/session/postgres'
import { RedisSessionStore } from 'sallyport/session/redis'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { openDatabase } from 'sallyport-app/database'
import { openPostgres } from 'sallyport-app/database/postgres'
import { PostgresServer, RedisServer } from 'sallyport-app/testing'
import type { Planned } from 'sallyport-app/testing/sql'
import type { Database } from '../core/database/database.ts'
import { PARTS } from '../parts.ts'
import { migrationsOf } from '../core/database/migrations.ts'

/** Whether the worlds of the tests are on PostgreSQL. */
export const ON_POSTGRES: boolean = process.env['STARTER_TEST_DATABASE'] === 'postgres'

const IN_REDIS = process.env['STARTER_TEST_SESSIONS'] === 'redis'

/** Why a test about files of SQLite is skipped; false when it runs. */
export const withoutSqlite: string | false = ON_POSTGRES && 'about SQLite'

/** A store that lists the sessions of an account. */
export type ListedSessions = SessionStore & Required<Pick<SessionStore, 'sessionsOf'>>

// A wait of a second is a fact of a busy machine, and no test here is about it.
const PATIENT = { timeoutMilliseconds: 4000 }
// Requests that come at once find the session of that moment, and not one after the other.
const MANY = 24

/** What a world is kept in. */
export interface Databases {
  readonly database: Database
  readonly store: ListedSessions
  readonly close: () => Promise<void>
}

/** Opens the databases of a folder. */
export async function openDatabases(directory: string, clock: Clock): Promise<Databases> {
  const database = await openAccounts(directory)
  const store = await openSessions(directory, clock)
  const close = async (): Promise<void> => {
    await database.destroy()
    await store.close()
  }
  return { database, store, close }
}

async function openSessions(
  directory: string,
  clock: Clock,
): Promise<ListedSessions & { close(): void | Promise<void> }> {
  if (IN_REDIS)
    return RedisSessionStore.connect({
      url: await redisUrl(),
      prefix: basename(directory),
      clock,
      ...PATIENT,
    })
  return ON_POSTGRES
    ? PostgresSessionStore.connect({
        url: sessionsUrl(await urlOf(directory)),
        clock,
        connections: MANY,
        ...PATIENT,
      })
    : new SqliteSessionStore({ path: join(directory, 'sessions.sqlite'), clock, durable: false })
}

/** Opens the database of the accounts once more, as another process does. */
export async function openAccounts(directory: string): Promise<Database> {
  return ON_POSTGRES
    ? openPostgres(new Secret(await urlOf(directory)), { migrations: migrationsOf(PARTS), ...PATIENT })
    : openDatabase(join(directory, 'accounts.sqlite'), { migrations: migrationsOf(PARTS), durable: false })
}

// A process of the tests has one server of each kind. Processes that it starts use the same, and the same databases.
const SERVERS = { postgres: 'STARTER_TEST_POSTGRES', redis: 'STARTER_TEST_REDIS' } as const
const TEMPLATE = 'made'
const urls = new Map<string, Promise<string>>()
const starting = new Map<string, Promise<string>>()

/** @returns Address of the database of a folder. It is made where it is missing. */
export function urlOf(directory: string): Promise<string> {
  const name = basename(directory).toLowerCase().replaceAll(/\W/g, '_')
  const url = urls.get(name) ?? makeDatabase(name)
  urls.set(name, url)
  return url
}

/** @returns The databases of a folder, to ask how they run statements. */
export async function plannedIn(directory: string): Promise<Planned> {
  if (ON_POSTGRES) return { url: await urlOf(directory) }
  return { files: [join(directory, 'accounts.sqlite'), join(directory, 'sessions.sqlite')] }
}

/** @returns Address of the Redis of the tests. */
export function redisUrl(): Promise<string> {
  return addressOf('redis', async () => (await RedisServer.start()).url)
}

async function makeDatabase(name: string): Promise<string> {
  const address = await addressOf('postgres', startPostgres)
  const client = new Client({ connectionString: address.replace('{}', 'postgres') })
  await client.connect()
  try {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
    if (found.rowCount === 0) {
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
      // What writes without having its turn fails.
      await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    }
  } finally {
    await client.end()
  }
  return address.replace('{}', name)
}

function addressOf(kind: keyof typeof SERVERS, start: () => Promise<string>): Promise<string> {
  const address = starting.get(kind) ?? givenOr(SERVERS[kind], start)
  starting.set(kind, address)
  return address
}

async function givenOr(variable: string, start: () => Promise<string>): Promise<string> {
  const given = process.env[variable] ?? (await start())
  process.env[variable] = given
  return given
}

async function startPostgres(): Promise<string> {
  const server = await PostgresServer.start()
  await server.run(`CREATE DATABASE ${TEMPLATE}`)
  const database = await openPostgres(new Secret(server.url(TEMPLATE)), { migrations: migrationsOf(PARTS) })
  await database.destroy()
  const store = await PostgresSessionStore.connect({ url: server.url(TEMPLATE) })
  await store.migrate()
  await store.close()
  return server.url('{}')
}

// The sessions' store has its own statements, of which each is atomic.
function sessionsUrl(url: string): string {
  return `${url}?options=${encodeURIComponent('-c default_transaction_read_only=off')}`
}

/** Takes the turn to write, as another process does. @returns What ends it. */
export async function holdWrites(directory: string): Promise<() => Promise<void>> {
  const other = await openAccounts(directory)
  const [held, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = other.transaction().execute(async () => {
    begun.resolve()
    await held.promise
  })
  await Promise.race([begun.promise, holding])
  return async () => {
    held.resolve()
    await holding
    await other.destroy()
  }
}

/** Has the database refuse rows of a table. @returns What ends that. */
export async function breakTable(
  database: Database,
  table: string,
  { operation = 'INSERT', when = '' }: { readonly operation?: string; readonly when?: string } = {},
): Promise<() => Promise<unknown>> {
  const rows = when === '' ? '' : `WHEN (${when})`
  const raise = ON_POSTGRES
    ? `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''injected''; END';
      CREATE TRIGGER fault BEFORE ${operation} ON ${table} FOR EACH ROW ${rows} EXECUTE FUNCTION fault()`
    : `CREATE TRIGGER fault BEFORE ${operation} ON ${table} ${rows} BEGIN SELECT RAISE(ABORT, 'injected'); END`
  await sql.raw(raise).execute(database)
  const mend = ON_POSTGRES ? 'DROP FUNCTION fault CASCADE' : 'DROP TRIGGER fault'
  return () => sql.raw(mend).execute(database)
}

/**
 * @param files Which files; on PostgreSQL it is always the database of the accounts. Default: all.
 * @returns Everything that the databases hold: the bytes of their files, or the texts of their rows.
 */
export async function storedIn(directory: string, files: RegExp = /^/): Promise<string> {
  if (!ON_POSTGRES)
    return readdirSync(directory)
      .filter((file) => files.test(file))
      .map((file) => readFileSync(join(directory, file), 'latin1'))
      .join('\n')
  const client = new Client({ connectionString: await urlOf(directory) })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace",
    )
    const texts: string[] = []
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ text: string }>(`SELECT one::text AS text FROM ${name} AS one`)
      texts.push(...rows.map(({ text }) => text))
    }
    return texts.join('\n')
  } finally {
    await client.end()
  }
}

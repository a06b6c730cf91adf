/**
 * The databases of an application in tests: files of SQLite in a folder, or databases of PostgreSQL, with sessions beside them or in
 * Redis. It needs `pg` for PostgreSQL, and `redis` for Redis.
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
import { type Database, type NamedMigration, openDatabase } from '../database/index.ts'
import { openPostgres } from '../database/postgres.ts'
import type { Planned } from './full-reads.ts'
import { PostgresServer } from './postgres-server.ts'
import { RedisServer } from './redis-server.ts'

/** A store that lists the sessions of an account. */
export type ListedSessions = SessionStore & Required<Pick<SessionStore, 'sessionsOf'>>

/** What an application keeps its data in. */
export interface OpenDatabases<Tables> {
  /** Its database. */
  readonly database: Database<Tables>
  /** Its sessions. */
  readonly store: ListedSessions
  /** Closes both. */
  readonly close: () => Promise<void>
}

/** Which databases tests have. */
export interface TestDatabasesOptions {
  /** The migrations of the application. */
  readonly migrations: readonly NamedMigration[]
  /** Whether they are on PostgreSQL. Otherwise they are files of SQLite. */
  readonly onPostgres: boolean
  /** Whether sessions are in Redis. Otherwise they are where the rest is. */
  readonly inRedis: boolean
}

/** Which rows a table refuses. */
export interface Fault {
  /** The operation that is refused. Default: `INSERT`. */
  readonly operation?: string
  /** A condition of SQL. Default: every row. */
  readonly when?: string
}

// A wait of a second is a fact of a busy machine, and no test is about it.
const PATIENT = { timeoutMilliseconds: 4000 }
// Requests that come at once find the session of that moment, and not one after the other.
const MANY = 24
// A process has one server of each kind. Processes that it starts use the same, and the same databases.
const SERVERS = { postgres: 'SALLYPORT_TEST_POSTGRES', redis: 'SALLYPORT_TEST_REDIS' } as const
const TEMPLATE = 'made'
const TABLES =
  "SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace"
const starting = new Map<string, Promise<string>>()

/**
 * The databases of the tests of an application. Each folder has its own, on PostgreSQL as well.
 *
 * @typeParam Tables The tables of the application.
 */
export class TestDatabases<Tables> {
  readonly #options: TestDatabasesOptions
  readonly #urls = new Map<string, Promise<string>>()

  /**
   * Opens nothing yet.
   *
   * @param options Which.
   */
  constructor(options: TestDatabasesOptions) {
    this.#options = options
  }

  /**
   * Opens the databases of a folder. They are made where they are missing.
   *
   * @param directory The folder.
   * @param clock The clock of the sessions.
   * @returns The databases.
   */
  async open(directory: string, clock: Clock): Promise<OpenDatabases<Tables>> {
    const database = await this.accounts(directory)
    const store = await this.#sessions(directory, clock)
    const close = async (): Promise<void> => {
      await database.destroy()
      await store.close()
    }
    return { database, store, close }
  }

  /**
   * Opens the database of a folder once more, as another process does.
   *
   * @param directory The folder.
   * @returns The database.
   */
  async accounts(directory: string): Promise<Database<Tables>> {
    const { migrations, onPostgres } = this.#options
    if (!onPostgres) return openDatabase(join(directory, 'accounts.sqlite'), { migrations, durable: false })
    return openPostgres(new Secret(await this.urlOf(directory)), { migrations, ...PATIENT })
  }

  /**
   * Names the database of PostgreSQL that belongs to a folder. It is made where it is missing.
   *
   * @param directory The folder.
   * @returns Its address.
   */
  urlOf(directory: string): Promise<string> {
    const name = basename(directory).toLowerCase().replaceAll(/\W/g, '_')
    const url = this.#urls.get(name) ?? this.#make(name)
    this.#urls.set(name, url)
    return url
  }

  /**
   * Names the databases of a folder, to ask how they run statements.
   *
   * @param directory The folder.
   * @returns Its databases.
   */
  async planned(directory: string): Promise<Planned> {
    if (this.#options.onPostgres) return { url: await this.urlOf(directory) }
    return { files: [join(directory, 'accounts.sqlite'), join(directory, 'sessions.sqlite')] }
  }

  /**
   * Reads everything that the databases of a folder hold.
   *
   * @param directory The folder.
   * @param files Which files; on PostgreSQL it is always the database of the accounts. Default: all.
   * @returns The bytes of the files, or the texts of the rows.
   */
  async stored(directory: string, files: RegExp = /^/): Promise<string> {
    if (!this.#options.onPostgres)
      return readdirSync(directory)
        .filter((file) => files.test(file))
        .map((file) => readFileSync(join(directory, file), 'latin1'))
        .join('\n')
    return connected(await this.urlOf(directory), async (client) => {
      const texts: string[] = []
      for (const { name } of (await client.query<{ name: string }>(TABLES)).rows) {
        const { rows } = await client.query<{ text: string }>(`SELECT one::text AS text FROM ${name} AS one`)
        texts.push(...rows.map(({ text }) => text))
      }
      return texts.join('\n')
    })
  }

  /**
   * Takes the turn to write, as another process does.
   *
   * @param directory The folder.
   * @returns What ends it.
   */
  async holdWrites(directory: string): Promise<() => Promise<void>> {
    const other = await this.accounts(directory)
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

  /**
   * Has a database refuse rows of a table.
   *
   * @param database The database.
   * @param table The table.
   * @param fault Which rows.
   * @returns What ends that.
   */
  async breakTable(
    database: Database<Tables>,
    table: string,
    { operation = 'INSERT', when = '' }: Fault = {},
  ): Promise<() => Promise<unknown>> {
    const { onPostgres } = this.#options
    const rows = when === '' ? '' : `WHEN (${when})`
    const raise = onPostgres
      ? `CREATE FUNCTION fault() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''injected''; END';
        CREATE TRIGGER fault BEFORE ${operation} ON ${table} FOR EACH ROW ${rows} EXECUTE FUNCTION fault()`
      : `CREATE TRIGGER fault BEFORE ${operation} ON ${table} ${rows} BEGIN SELECT RAISE(ABORT, 'injected'); END`
    await sql.raw(raise).execute(database)
    const mend = onPostgres ? 'DROP FUNCTION fault CASCADE' : 'DROP TRIGGER fault'
    return () => sql.raw(mend).execute(database)
  }

  async #sessions(
    directory: string,
    clock: Clock,
  ): Promise<ListedSessions & { close(): void | Promise<void> }> {
    if (this.#options.inRedis) {
      const url = await addressOf('redis', async () => (await RedisServer.start()).url)
      return RedisSessionStore.connect({ url, prefix: basename(directory), clock, ...PATIENT })
    }
    if (!this.#options.onPostgres)
      return new SqliteSessionStore({ path: join(directory, 'sessions.sqlite'), clock, durable: false })
    const url = sessionsUrl(await this.urlOf(directory))
    return PostgresSessionStore.connect({ url, clock, connections: MANY, ...PATIENT })
  }

  async #make(name: string): Promise<string> {
    const address = await addressOf('postgres', () => this.#startPostgres())
    await connected(address.replace('{}', 'postgres'), async (client) => {
      const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
      if (found.rowCount !== 0) return
      await client.query(`CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`)
      // What writes without having its turn fails.
      await client.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    })
    return address.replace('{}', name)
  }

  async #startPostgres(): Promise<string> {
    const server = await PostgresServer.start()
    await server.run(`CREATE DATABASE ${TEMPLATE}`)
    const { migrations } = this.#options
    const database = await openPostgres<Tables>(new Secret(server.url(TEMPLATE)), { migrations })
    await database.destroy()
    const store = await PostgresSessionStore.connect({ url: server.url(TEMPLATE) })
    await store.migrate()
    await store.close()
    return server.url('{}')
  }
}

async function connected<T>(url: string, act: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
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

// The sessions' store has its own statements, of which each is atomic.
function sessionsUrl(url: string): string {
  return `${url}?options=${encodeURIComponent('-c default_transaction_read_only=off')}`
}

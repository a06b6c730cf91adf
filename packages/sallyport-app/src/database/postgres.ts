import { Pool, types } from 'pg'
import type { Secret } from 'sallyport'
import { Database } from './database.ts'
import { POSTGRES } from './engine.ts'
import { migrate } from './migrations.ts'
import type { DatabaseOptions } from './open.ts'
import { PostgresDialect } from './postgres-dialect.ts'

const READERS = 6
const WRITERS = 2
const MIGRATION_MILLISECONDS = 60_000
// Every statement of the application is short. To compile one that looks long took a hundred times as long as running it.
const SETTING = 'SET jit = off'

// As SQLite gives them: numbers, also of counts and sums, and 0 or 1 for a condition.
const TYPES: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [types.builtins.BOOL, (text) => (text === 't' ? 1 : 0)],
  [types.builtins.INT8, toNumber],
  [types.builtins.NUMERIC, toNumber],
])

/**
 * Opens a database of PostgreSQL 15 or newer and migrates it to the newest version. Of several processes that start at once, one does it
 * and the others wait.
 *
 * @param url Its address, with user and password.
 * @param options Its migrations, and how long a statement waits.
 * @returns The database. `destroy()` closes its connections.
 * @throws {UnusableDatabaseError} If it has migrations that are not among these, or a table or trigger is missing.
 * @throws {Error} If the server cannot be reached or refuses the connection, or a migration fails; the database is unchanged then.
 */
export async function openPostgres<Tables>(
  url: Secret,
  { timeoutMilliseconds = 1000, migrations }: Omit<DatabaseOptions, 'durable'>,
): Promise<Database<Tables>> {
  const migrating = new Database<Tables>({ dialect: dialectOf(url, MIGRATION_MILLISECONDS) })
  try {
    await migrate(migrating, { migrations, engine: POSTGRES })
  } finally {
    await migrating.destroy()
  }
  return new Database<Tables>({ dialect: dialectOf(url, timeoutMilliseconds) })
}

function dialectOf(url: Secret, timeoutMilliseconds: number): PostgresDialect {
  const pools = { readers: poolOf(READERS), writers: poolOf(WRITERS) }
  return new PostgresDialect(pools, timeoutMilliseconds)

  function poolOf(max: number): Pool {
    const pool = new Pool({
      connectionString: url.reveal(),
      max,
      connectionTimeoutMillis: timeoutMilliseconds,
      // The server ends a wait for a lock before.
      query_timeout: 2 * timeoutMilliseconds,
      keepAlive: true,
      // A statement that is a transaction of its own is sent with its beginning and its end.
      pipeline: true,
      types: { getTypeParser: typeParser },
    })
    // A connection that is lost is noticed by the next statement, which opens another one.
    pool.on('error', () => undefined)
    pool.on('connect', (client) => {
      client.on('error', () => undefined)
      // Sent with the first statement, which fails for the same reason if this one does.
      client.query(SETTING).catch(() => undefined)
    })
    return pool
  }
}

function typeParser(type: number, format?: 'text' | 'binary'): unknown {
  return TYPES.get(type) ?? types.getTypeParser(type, format)
}

function toNumber(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`Cannot read ${text} as a number`)
  return number
}

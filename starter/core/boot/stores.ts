import type { Clock } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import type { Database } from '../database/database.ts'
import { openDatabase } from 'sallyport-app/database'
import type { Part } from '../part.ts'
import { dataPaths, prepareDataDirectory } from './data-directory.ts'
import type { Environment } from './environment.ts'
import type { Place, Places } from './place.ts'
import { fileAt, serverAt } from './database-places.ts'
import { migrationsOf } from '../database/migrations.ts'

// Beside those for the accounts.
const SESSION_CONNECTIONS = 4

/** A store that is closed at the end. */
export type ClosedStore = SessionStore & { close(): void | Promise<void> }

/** What the application keeps its data in. */
export interface Stores {
  /** Accounts, factors, limits and the audit trail. */
  readonly database: Database
  readonly sessions: SessionStore
  readonly places: Places
}

interface Opening {
  readonly parts: readonly Part[]
  readonly clock: Clock
  /** Closes it again. */
  readonly closing: AsyncDisposableStack
}

interface Source<T> {
  readonly place: Place
  readonly open: () => Promise<T>
}

/**
 * Opens the database of the accounts and the store of the sessions: files of the data folder, or what `DATABASE_URL` and `REDIS_URL` name.
 * The packages for a server are loaded where it is used.
 *
 * @throws {StartupError} If one of them cannot be used.
 */
export async function openStores(
  environment: Environment,
  { parts, clock, closing }: Opening,
): Promise<Stores> {
  const { databaseUrl, dataDirectory, keys } = environment
  if (databaseUrl === undefined || keys.length === 0) prepareDataDirectory(dataDirectory)
  const [ofAccounts, ofSessions] = [accountsIn(environment, parts), sessionsIn(environment, clock)]
  const database = await openAt(ofAccounts)
  closing.defer(() => database.destroy())
  const sessions = await openAt(ofSessions)
  closing.defer(() => sessions.close())
  return { database, sessions, places: { accounts: ofAccounts.place, sessions: ofSessions.place } }
}

function accountsIn({ databaseUrl, dataDirectory }: Environment, parts: readonly Part[]): Source<Database> {
  if (databaseUrl === undefined) {
    const { accounts } = dataPaths(dataDirectory)
    return {
      place: fileAt(accounts),
      open: () => openDatabase(accounts, { migrations: migrationsOf(parts) }),
    }
  }
  const open = async (): Promise<Database> => {
    const { openPostgres } = await import('sallyport-app/database/postgres')
    return openPostgres(databaseUrl, { migrations: migrationsOf(parts) })
  }
  return { place: serverAt('DATABASE_URL', databaseUrl), open }
}

function sessionsIn(
  { databaseUrl, redisUrl, dataDirectory }: Environment,
  clock: Clock,
): Source<ClosedStore> {
  if (redisUrl !== undefined) {
    const open = async (): Promise<ClosedStore> => {
      const { RedisSessionStore } = await import('sallyport/session/redis')
      return RedisSessionStore.connect({ url: redisUrl.reveal(), clock })
    }
    return { place: serverAt('REDIS_URL', redisUrl, 'sessions'), open }
  }
  if (databaseUrl !== undefined) {
    const open = async (): Promise<ClosedStore> => {
      const { PostgresSessionStore } = await import('sallyport/session/postgres')
      const url = databaseUrl.reveal()
      const store = await PostgresSessionStore.connect({ url, clock, connections: SESSION_CONNECTIONS })
      await store.migrate()
      return store
    }
    return { place: serverAt('DATABASE_URL', databaseUrl), open }
  }
  const { sessions: path } = dataPaths(dataDirectory)
  return { place: fileAt(path), open: async () => new SqliteSessionStore({ path }) }
}

async function openAt<T>({ place, open }: Source<T>): Promise<T> {
  try {
    return await open()
  } catch (cause) {
    throw place.cannotUse(cause)
  }
}

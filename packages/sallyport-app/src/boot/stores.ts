import type { Clock } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { type Database, type NamedMigration, openDatabase } from '../database/index.ts'
import type { ServerSettings } from '../settings/index.ts'
import { dataPaths, prepareDataDirectory } from './data-directory.ts'
import { fileAt, serverAt } from './database-places.ts'
import type { Place, Places } from './place.ts'

// Beside those for the other data.
const SESSION_CONNECTIONS = 4

/** A store that is closed at the end. */
type ClosedStore = SessionStore & { close(): void | Promise<void> }

/** What the application keeps its data in. */
export interface Stores<Tables> {
  /** Its own tables. */
  readonly database: Database<Tables>
  /** Sessions. */
  readonly sessions: SessionStore
  /** Where both are. */
  readonly places: Places
}

/** What they are opened with. */
export interface StoreOptions {
  /** What makes the tables of the application. */
  readonly migrations: readonly NamedMigration[]
  /** Says when sessions end. */
  readonly clock: Clock
  /** Closes what was opened. */
  readonly closing: AsyncDisposableStack
}

interface Source<T> {
  readonly place: Place
  readonly open: () => Promise<T>
}

/** Those settings that say where the data is. */
export type StoreSettings = Pick<ServerSettings, 'databaseUrl' | 'redisUrl' | 'dataDirectory' | 'keys'>

/**
 * Opens the database of the application and the store of the sessions: files of the data folder, or what `DATABASE_URL` and `REDIS_URL` name.
 * The packages for a server are loaded where it is used.
 *
 * @param settings Where they are.
 * @param options What they are opened with.
 * @returns Both, migrated to the newest version.
 * @throws {StartupError} If one of them cannot be used.
 */
export async function openStores<Tables>(
  settings: StoreSettings,
  options: StoreOptions,
): Promise<Stores<Tables>> {
  const { databaseUrl, dataDirectory, keys } = settings
  const { migrations, clock, closing } = options
  if (databaseUrl === undefined || keys.length === 0) prepareDataDirectory(dataDirectory)
  const [ofDatabase, ofSessions] = [databaseIn<Tables>(settings, migrations), sessionsIn(settings, clock)]
  const database = await openAt(ofDatabase)
  closing.defer(() => database.destroy())
  const sessions = await openAt(ofSessions)
  closing.defer(() => sessions.close())
  return { database, sessions, places: { accounts: ofDatabase.place, sessions: ofSessions.place } }
}

function databaseIn<Tables>(
  { databaseUrl, dataDirectory }: StoreSettings,
  migrations: readonly NamedMigration[],
): Source<Database<Tables>> {
  if (databaseUrl === undefined) {
    const { accounts } = dataPaths(dataDirectory)
    return {
      place: fileAt(accounts),
      open: () => openDatabase(accounts, { migrations }),
    }
  }
  const open = async (): Promise<Database<Tables>> => {
    const { openPostgres } = await import('../database/postgres.ts')
    return openPostgres(databaseUrl, { migrations })
  }
  return { place: serverAt('DATABASE_URL', databaseUrl), open }
}

function sessionsIn(
  { databaseUrl, redisUrl, dataDirectory }: StoreSettings,
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

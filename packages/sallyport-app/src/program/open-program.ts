import * as telemetry from '@opentelemetry/api'
import type { App, Clock, Secret } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import { instrument } from 'sallyport/telemetry'
import { bootBelow, developmentKey, mailerOf, openStores, type Places } from '../boot/index.ts'
import type { Database, NamedMigration } from '../database/index.ts'
import type { Mailer } from '../mail/index.ts'
import type { ServerSettings } from '../settings/index.ts'

/** An application with its databases open. */
export interface Opened {
  /** The application, booted: it gives its services. */
  readonly app: App
  /** Where its data is. */
  readonly places: Places
  /** Says where the server listens: without an `ORIGIN`, the mails of a development machine have links to there. */
  readonly listensAt: (url: string) => void
  /** Closes everything. */
  readonly close: () => Promise<void>
}

/** What an application is made of that was opened for it. It is closed after the application. */
export interface Given<Tables> {
  /** Its database, migrated to the newest version. */
  readonly database: Database<Tables>
  /** Its sessions. */
  readonly store: SessionStore
  /** Keys that seal what the database keeps secret. */
  readonly keys: readonly Secret[]
  /** Delivers its mails. */
  readonly mailer: Mailer
  /** Scheme and host of its pages; undefined while they are not known. */
  readonly origin: () => string | undefined
}

/** How an application is opened. */
export interface OpenOptions<Tables> {
  /** Its name, in front of the subject of each mail. */
  readonly name: string
  /** Says how late it is. */
  readonly clock: Clock
  /** What makes its tables. */
  readonly migrations: readonly NamedMigration[]
  /**
   * Assembles it.
   *
   * @param given What was opened for it.
   * @returns The application, not yet booted.
   */
  assemble(given: Given<Tables>): App
}

/**
 * Opens the databases and assembles the application: the same one for the server and for every command.
 *
 * @param settings Where its data is, and where it is served.
 * @param options How it is opened.
 * @returns The application, booted.
 * @throws {StartupError} If the data folder, the key or a database cannot be used, or a page has a path like the base path.
 */
export async function openProgram<Tables>(
  settings: ServerSettings,
  options: OpenOptions<Tables>,
): Promise<Opened> {
  const { basePath, dataDirectory, isProduction, keys } = settings
  const { name, clock, migrations } = options
  const mailer = mailerOf(settings, { application: name, clock })
  let { origin } = settings
  const closing = new AsyncDisposableStack()
  try {
    const stores = { migrations, clock, closing }
    const { database, sessions: store, places } = await openStores<Tables>(settings, stores)
    closing.defer(() => mailer.close())
    const app = options.assemble({
      database,
      store,
      keys: keys.length > 0 ? keys : [developmentKey(dataDirectory)],
      mailer,
      origin: () => origin,
    })
    instrument(app, telemetry)
    await bootBelow(app, basePath)
    return {
      app,
      places,
      // In production it is the address of the machine, and nobody else's.
      listensAt: (url) => {
        if (!isProduction) origin ??= url
      },
      close: () => closing.disposeAsync(),
    }
  } catch (error) {
    await closing.disposeAsync()
    throw error
  }
}

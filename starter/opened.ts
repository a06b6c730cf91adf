import * as telemetry from '@opentelemetry/api'
import type { Clock } from 'sallyport'
import { instrument } from 'sallyport/telemetry'
import { bootBelow, developmentKey, mailerOf, openStores } from 'sallyport-app/boot'
import { createApplication } from './application.ts'
import type { Environment } from './core/boot/environment.ts'
import { BRAND } from './core/brand.ts'
import { migrationsOf } from './core/database/migrations.ts'
import type { Schema } from './core/database/schema.ts'
import type { Opened } from './core/opened.ts'
import { PARTS } from './parts.ts'

/**
 * Opens the databases and assembles the application: the same one for the server and for every command.
 *
 * @throws {StartupError} If the data folder, the key or a database cannot be used, or a page has a path like the base path.
 */
export async function openApplication(environment: Environment, clock: Clock): Promise<Opened> {
  const { basePath, dataDirectory, isProduction, keys, ofParts } = environment
  const mailer = mailerOf(environment, { application: BRAND.name, clock })
  let { origin } = environment
  const closing = new AsyncDisposableStack()
  try {
    const stores = { migrations: migrationsOf(PARTS), clock, closing }
    const { database, sessions: store, places } = await openStores<Schema>(environment, stores)
    closing.defer(() => mailer.close())
    const app = createApplication({
      database,
      store,
      keys: keys.length > 0 ? keys : [developmentKey(dataDirectory)],
      clock,
      mailer,
      settings: Object.assign(
        { origin: () => origin, basePath },
        ...ofParts.map(({ settings }) => settings),
      ) as Environment['ofParts'][number]['settings'],
      cacheTemplates: isProduction,
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

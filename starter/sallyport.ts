import { randomBytes } from 'node:crypto'
import { type App, Secret } from 'sallyport'
import { MemorySessionStore } from 'sallyport/session'
import { createApplication } from './application.ts'
import { openDatabase } from './database/open.ts'

/**
 * The application as the command line `sallyport` looks at it: as it runs, but with nothing of its data, so that it can
 * be asked at any time, beside a running one too.
 *
 * @returns The application.
 */
export async function app(): Promise<App> {
  const database = await openDatabase(':memory:')
  const { app: application } = createApplication({
    database,
    store: new MemorySessionStore(),
    keys: [new Secret(randomBytes(32).toString('hex'))],
  })
  application.onClose(async () => database.destroy())
  return application
}

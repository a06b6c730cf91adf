import { type App, SystemClock } from 'sallyport'
import { inspected } from 'sallyport-app/boot/inspection'
import { openDatabase } from 'sallyport-app/database'
import { Mailbox } from 'sallyport-app/mail'
import { createApplication } from './application.ts'
import { migrationsOf } from './core/database/migrations.ts'
import type { Schema } from './core/database/schema.ts'
import type { Settings } from './core/settings.ts'
import { PARTS } from './parts.ts'

/**
 * The application for the command line `sallyport`: configured as usual, but without any data, so that it can be inspected at any time,
 * even while another instance runs.
 */
export async function app(): Promise<App> {
  const database = await openDatabase<Schema>(':memory:', { migrations: migrationsOf(PARTS) })
  const application = createApplication({
    ...inspected(),
    database,
    // With every module, so that every route is inspected.
    mailer: new Mailbox(new SystemClock()),
    settings: Object.assign({}, ...PARTS.map(({ inspected }) => inspected?.())) as Partial<Settings>,
  })
  application.onClose(async () => database.destroy())
  return application
}

import { randomBytes } from 'node:crypto'
import { type App, Secret, SystemClock } from 'sallyport'
import { MemorySessionStore } from 'sallyport/session'
import { createApplication } from './application.ts'
import { openDatabase } from './core/database/open.ts'
import { PARTS } from './parts.ts'
import { Mailbox } from './core/mail/mailbox.ts'
import type { Settings } from './core/settings.ts'

/**
 * The application for the command line `sallyport`: configured as usual, but without any data, so that it can be inspected at any time,
 * even while another instance runs.
 */
export async function app(): Promise<App> {
  const database = await openDatabase(':memory:', { parts: PARTS })
  const application = createApplication({
    database,
    store: new MemorySessionStore(),
    keys: [new Secret(randomBytes(32).toString('hex'))],
    // With every module, so that every route is inspected.
    mailer: new Mailbox(new SystemClock()),
    settings: Object.assign({}, ...PARTS.map(({ inspected }) => inspected?.())) as Partial<Settings>,
  })
  application.onClose(async () => database.destroy())
  return application
}

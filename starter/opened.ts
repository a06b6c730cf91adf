import * as telemetry from '@opentelemetry/api'
import type { App, Clock } from 'sallyport'
import { RoutingException } from 'sallyport/routing'
import { instrument } from 'sallyport/telemetry'
import { createApplication } from './application.ts'
import { developmentKey } from './core/boot/data-directory.ts'
import type { Environment } from './core/boot/environment.ts'
import { BRAND } from './core/brand.ts'
import { StartupError } from './core/boot/startup-error.ts'
import { openStores } from './core/boot/stores.ts'
import { Mailbox, type Mailer, NoMailer } from 'sallyport-app/mail'
import { SmtpMailer } from 'sallyport-app/mail/smtp'
import type { Opened } from './core/opened.ts'
import { PARTS } from './parts.ts'

/**
 * Opens the databases and assembles the application: the same one for the server and for every command.
 *
 * @throws {StartupError} If the data folder, the key or a database cannot be used, or a page has a path like the base path.
 */
export async function openApplication(environment: Environment, clock: Clock): Promise<Opened> {
  const { basePath, dataDirectory, isProduction, keys, ofParts } = environment
  const mailer = mailerOf(environment, clock)
  let { origin } = environment
  const closing = new AsyncDisposableStack()
  try {
    const {
      database,
      sessions: store,
      places,
    } = await openStores(environment, { parts: PARTS, clock, closing })
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
    await boot(app, basePath)
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

// Only the modules of the application know with which paths `BASE_PATH` is in conflict.
async function boot(app: App, basePath: string): Promise<void> {
  try {
    await app.boot()
  } catch (cause) {
    if (!(cause instanceof RoutingException) || cause.code !== 'base-path-conflict') throw cause
    throw new StartupError(
      `BASE_PATH must not begin like a page of the application, and ${JSON.stringify(basePath)} does: choose another path`,
      { cause },
    )
  }
}

// On a development machine mails stay in a page. In production a missing server means that nobody can sign up.
function mailerOf({ mail, isProduction }: Environment, clock: Clock): Mailer {
  if (mail !== undefined) return new SmtpMailer(mail, { application: BRAND.name })
  return isProduction ? new NoMailer() : new Mailbox(clock)
}

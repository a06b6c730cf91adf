import type { Clock, Secret } from 'sallyport'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { createApplication } from './application.ts'
import { developmentKey, prepareDataDirectory } from './core/boot/data-directory.ts'
import { openDatabase } from './core/database/open.ts'
import { PARTS } from './parts.ts'
import type { Environment } from './core/boot/environment.ts'
import { type KeptMail, Mailbox } from './core/mail/mailbox.ts'
import { type Mailer, NoMailer } from './core/mail/mailer.ts'
import { SmtpMailer } from './core/mail/smtp-mailer.ts'
import type { Opened } from './core/opened.ts'
import type { Settings } from './core/settings.ts'
import { bootBelow, cannotOpen } from './core/boot/startup-faults.ts'

/**
 * Opens the databases and assembles the application: the same one for the server and for every command.
 *
 * @returns The application.
 * @throws {StartupError} If the data folder, the key or a database cannot be used, or a page has a path like the base path.
 */
export async function openApplication(environment: Environment, clock: Clock): Promise<Opened> {
  const paths = prepareDataDirectory(environment.dataDirectory)
  const keys = keysOf(environment)
  const database = await openDatabase(paths.accounts, { parts: PARTS }).catch((cause: unknown) => {
    throw cannotOpen(paths.accounts, cause)
  })
  const store = await openSessions(paths.sessions).catch(async (error: unknown) => {
    await database.destroy()
    throw error
  })
  const close = async (): Promise<void> => {
    await database.destroy()
    store.close()
  }
  const mailer = mailerOf(environment, clock)
  const { basePath, isProduction } = environment
  let { origin } = environment
  const app = createApplication({
    database,
    store,
    keys,
    clock,
    mailer,
    settings: {
      origin: () => origin,
      basePath,
      ...settingsOf(environment),
    },
    cacheTemplates: isProduction,
  })
  await bootBelow(app, environment).catch(async (error: unknown) => {
    await close()
    throw error
  })
  // In production it is the address of the machine, and nobody else's.
  const listensAt = (url: string): void => {
    if (!isProduction) origin ??= url
  }
  const unsent = (): readonly KeptMail[] => (mailer instanceof Mailbox ? mailer.list() : [])
  return { app, unsent, paths, listensAt, close }
}

function settingsOf({ ofParts }: Environment): Partial<Settings> {
  return Object.assign({}, ...ofParts.map(({ settings }) => settings)) as Partial<Settings>
}

async function openSessions(path: string): Promise<SqliteSessionStore> {
  try {
    return new SqliteSessionStore({ path })
  } catch (cause) {
    throw cannotOpen(path, cause)
  }
}

// On a development machine mails stay in a page. In production a missing server means that nobody can sign up.
function mailerOf({ mail, isProduction }: Environment, clock: Clock): Mailer {
  if (mail !== undefined) return new SmtpMailer(mail)
  return isProduction ? new NoMailer() : new Mailbox(clock)
}

function keysOf({ keys, dataDirectory }: Environment): readonly Secret[] {
  return keys.length > 0 ? keys : [developmentKey(dataDirectory)]
}

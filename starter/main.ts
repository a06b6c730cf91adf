import { getLogger } from '@logtape/logtape'
import { generate } from 'otplib/functional'
import { type App, type Secret, SystemClock } from 'sallyport'
import { serve } from 'sallyport/node'
import { SqliteSessionStore } from 'sallyport/session/sqlite'
import { createApplication } from './application.ts'
import { banner } from './banner.ts'
import { codeOf, developmentKey, prepareDataDirectory, reasonOf } from './data-directory.ts'
import { primaryCode } from './database/dialect.ts'
import { openDatabase } from './database/open.ts'
import { type DemoAccount, prepareDemoAccount } from './demo-account.ts'
import { type Environment, readEnvironment, StartupError } from './environment.ts'
import type { AuditTrail } from './identity/audit/audit-trail.ts'
import { DEFAULT_PAST_SECONDS, TOTP_PERIOD_SECONDS } from './identity/factors/totp-code.ts'
import { Mailbox } from './identity/mail/mailbox.ts'
import type { Mailer } from './identity/mail/mailer.ts'
import { SmtpMailer } from './identity/mail/smtp-mailer.ts'
import { beginLogging } from './logging.ts'
import { cannotOpen, databaseFault } from './startup-faults.ts'

const clock = new SystemClock()
const COMMANDS: readonly string[] = ['code', 'trim']

// Files of this program belong to its owner alone, even if others may list the data folder.
process.umask(0o077)

/** An application with its databases open. */
interface Opened {
  readonly app: App
  readonly demo: DemoAccount | undefined
  readonly audit: AuditTrail
  readonly close: () => Promise<void>
}

try {
  const environment = readEnvironment(process.env)
  const [, , command, argument] = process.argv
  if (command !== undefined && !COMMANDS.includes(command))
    throw new StartupError(
      `there is no command ${JSON.stringify(command)}: "npm start" alone, "-- code" or "-- trim 400" after it`,
    )
  if (command === 'code') await printCode(environment)
  else if (command === 'trim') await trimTrail(environment, Number(argument))
  else await run(environment)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`Cannot start: ${error.message}\n`)
  process.exitCode = 1
}

async function run(environment: Environment): Promise<void> {
  const { app, demo, close } = await open(environment)
  const log = getLogger(['starter'])
  app.onError((error, context) => log.error('Request {request} failed', { request: context.id(), error }))
  app.onClose(close)

  const { host, port, origin, hosts, trustedProxies, dataDirectory } = environment
  const options = {
    host,
    port,
    trustedProxies: { addresses: trustedProxies },
    ...(origin === undefined ? {} : { origin }),
    ...(hosts.length === 0 ? {} : { hosts }),
  }
  const server = await serve(app, options).catch(async (error: unknown) => {
    await close()
    throw cannotListen(error, environment)
  })
  const facts = {
    url: origin ?? reachable(server.url),
    listensOn: server.url,
    dataDirectory,
    demo,
    isProduction: environment.isProduction,
  }
  process.stdout.write(banner(facts, process.stdout))
  beginLogging(environment)
}

// A server that listens on all addresses is reachable on this one.
function reachable(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')
}

// For developers without an authenticator app: prints the current code of the demo account.
async function printCode(environment: Environment): Promise<void> {
  if (environment.isProduction) throw new StartupError('codes are printed outside production only')
  const { demo, close } = await open(environment)
  await close()
  if (demo === undefined) throw new StartupError('there is no demo account')
  const epoch = clock.timestamp()
  const code = await generate({ secret: demo.secret.reveal(), epoch, period: TOTP_PERIOD_SECONDS })
  // A code is accepted for some time after its step.
  const seconds = TOTP_PERIOD_SECONDS - (epoch % TOTP_PERIOD_SECONDS) + DEFAULT_PAST_SECONDS
  process.stdout.write(`${code}  (for ${seconds} more seconds, once)\n`)
}

// The operator decides how long the trail is kept.
async function trimTrail(environment: Environment, days: number): Promise<void> {
  const { audit, close } = await open(environment)
  try {
    const count = await audit.trim(days)
    process.stdout.write(`${count} entries over ${days} days deleted\n`)
  } catch (cause) {
    if (cause instanceof RangeError)
      throw new StartupError(`${cause.message}: "npm start -- trim 400"`, { cause })
    throw cause
  } finally {
    await close()
  }
}

async function open(environment: Environment): Promise<Opened> {
  const paths = prepareDataDirectory(environment.dataDirectory)
  const keys = keysOf(environment)
  const database = await openDatabase(paths.accounts).catch((cause: unknown) => {
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
  try {
    const mailer = mailerOf(environment)
    const { app, identity } = createApplication({
      database,
      store,
      keys,
      clock,
      cacheTemplates: environment.isProduction,
      ...(mailer === undefined ? {} : { mailer }),
    })
    const { isProduction } = environment
    const demo = environment.hasDemoAccount
      ? await prepareDemoAccount(identity, clock, { isProduction })
      : undefined
    return { app, demo, audit: identity.audit, close }
  } catch (cause) {
    await close()
    if (primaryCode(databaseFault(cause)) !== undefined) throw cannotOpen(paths.accounts, cause)
    throw new StartupError(
      `the demo account cannot be prepared (${reasonOf(cause)}): has FACTOR_KEY changed? Append the previous key, as in FACTOR_KEY=new,old`,
      { cause },
    )
  }
}

async function openSessions(path: string): Promise<SqliteSessionStore> {
  try {
    return new SqliteSessionStore({ path })
  } catch (cause) {
    throw cannotOpen(path, cause)
  }
}

// On a development machine mails stay in a page. In production a missing server means that nobody can sign up.
function mailerOf({ mail, isProduction }: Environment): Mailer | undefined {
  if (mail !== undefined) return new SmtpMailer(mail)
  return isProduction ? undefined : new Mailbox(clock)
}

function keysOf({ keys, dataDirectory }: Environment): readonly Secret[] {
  return keys.length > 0 ? keys : [developmentKey(dataDirectory)]
}

function cannotListen(cause: unknown, { host, port }: Environment): StartupError {
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `PORT ${port} on ${host} is in use: end the other program or set PORT to another one`,
    EACCES: `PORT ${port} on ${host} needs rights that this program does not have: set PORT to 1024 or higher`,
    EADDRNOTAVAIL: `HOST ${host} is not an address of this machine`,
    ENOTFOUND: `HOST ${host} is not known`,
  }
  const reason =
    reasons[codeOf(cause) ?? ''] ?? `PORT ${port} on ${host} cannot be listened on (${reasonOf(cause)})`
  return new StartupError(reason, { cause })
}

import { getLogger } from '@logtape/logtape'
import type { App } from 'sallyport'
import { beginLogging, everyHour, type HourlyTask, listen, type Opening } from '../boot/index.ts'
import { leaveLoadBalancer, MAX_DRAIN_MILLISECONDS } from '../health/index.ts'
import { Mailbox, Mailer, MailSender } from '../mail/index.ts'
import type { ServerSettings } from '../settings/index.ts'
import type { Opened } from './open-program.ts'

// How long the end waits for the mails that are being sent.
const MAIL_MILLISECONDS = 30_000

/** What is wrong with an installation that serves all the same. */
export interface Faults {
  /** What the log calls an error. */
  readonly errors: readonly string[]
  /** What the log warns of. */
  readonly warnings: readonly string[]
}

/** What a program says once it listens. */
export interface Announced extends Opening {
  /** The folder of its databases, or what else they are in. */
  readonly data: string
  /** Whether its mails are kept in a mailbox, in place of being sent. */
  readonly hasMailbox: boolean
}

/** What an application does while it is served. */
export interface ServeOptions {
  /**
   * Says what the operator reads once it listens.
   *
   * @param facts Where it listens, and what else it says. The address to open is that of `ORIGIN`, where it is set.
   * @returns A text, which is printed.
   */
  banner(facts: Announced): string
  /**
   * Says what every process does each hour.
   *
   * @param app The application.
   * @returns The tasks, in their order.
   */
  hourly(app: App): readonly HourlyTask[]
  /**
   * Looks for what an operator must mend.
   *
   * @param app The application.
   * @returns What is wrong.
   */
  faults(app: App): Promise<Faults>
}

/**
 * Serves an application until the process is asked to stop: with its log, the work of every hour and the worker that sends mails. The end
 * closes all of it in the reverse order.
 *
 * @param opened The application.
 * @param settings Where it is served.
 * @param prepare Prepares what it does meanwhile, before it listens.
 * @throws {StartupError} If it cannot listen there. It is closed then, as with any other error.
 */
export async function serveProgram(
  opened: Opened,
  settings: ServerSettings,
  prepare: () => Promise<ServeOptions>,
): Promise<void> {
  const { app, close } = opened
  const log = getLogger(['app'])
  let options: ServeOptions
  try {
    options = await prepare()
    app.onError((error, context) => log.error('Request {request} failed', { request: context.id(), error }))
    app.onClose(close)
    // Hooks run in reverse order: the database closes after the tasks that use it.
    app.onClose(everyHour(options.hourly(app)))
    app.onClose(app.get(MailSender).start(), { milliseconds: MAIL_MILLISECONDS })
    app.onClosing(leaveLoadBalancer(app, settings), { milliseconds: MAX_DRAIN_MILLISECONDS })
    const opening = await listen(app, settings)
    opened.listensAt(opening.url)
    process.stdout.write(options.banner(announcedOf(opened, opening, settings)))
  } catch (error) {
    await close()
    throw error
  }
  beginLogging(settings)
  for (const warning of settings.warnings) log.warn(warning)
  try {
    const { errors, warnings } = await options.faults(app)
    for (const fault of errors) log.error(fault)
    for (const warning of warnings) log.warn(warning)
  } catch (error) {
    log.error('The installation could not be checked', { error })
  }
}

function announcedOf(
  { app, places }: Opened,
  { url, listensOn }: Opening,
  settings: ServerSettings,
): Announced {
  const { basePath, databaseUrl, dataDirectory, origin } = settings
  return {
    url: (origin ?? url) + basePath,
    listensOn: listensOn + basePath,
    data: databaseUrl === undefined ? dataDirectory : places.accounts.name,
    hasMailbox: app.get(Mailer) instanceof Mailbox,
  }
}

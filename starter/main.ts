import { getLogger } from '@logtape/logtape'
import { type App, SystemClock } from 'sallyport'
import { beginLogging, everyHour, listen } from 'sallyport-app/boot'
import { StartupError } from 'sallyport-app/settings'
import { sentence } from 'sallyport-app/commands'
import { leaveLoadBalancer, MAX_DRAIN_MILLISECONDS } from 'sallyport-app/health'
import { MailSender } from 'sallyport-app/mail'
import { runCommand } from './commands.ts'
import { banner } from './core/boot/banner.ts'
import { demoAccountOf } from './core/boot/demo-account.ts'
import { type Environment, readEnvironment } from './core/boot/environment.ts'
import { hourlyTasks } from './core/operations/hourly-tasks.ts'
import { FactorKeys } from './core/factors/factor-keys.ts'
import { Parts } from './core/part.ts'
import { openApplication } from './opened.ts'
import { PARTS } from './parts.ts'

const clock = new SystemClock()
// How long the end waits for the mails that are being sent.
const MAIL_MILLISECONDS = 30_000

// Files of this program belong to its owner alone, even if others may list the data folder.
process.umask(0o077)

try {
  const line = process.argv.slice(2)
  if (line.length === 0) await run(readEnvironment(process.env, PARTS))
  else await runOnce(line)
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${sentence(`Cannot start: ${error.message}`)}\n`)
  process.exitCode = 1
}

async function runOnce(line: readonly string[]): Promise<void> {
  const { exitCode, text } = await runCommand(line, process.env, clock)
  const stream = exitCode === 0 ? process.stdout : process.stderr
  stream.write(text)
  process.exitCode = exitCode
}

async function run(environment: Environment): Promise<void> {
  const opened = await openApplication(environment, clock)
  const { app, close } = opened
  const log = getLogger(['app'])
  try {
    const demo = await demoAccountOf(opened, environment, clock)
    app.onError((error, context) => log.error('Request {request} failed', { request: context.id(), error }))
    app.onClose(close)
    // Hooks run in reverse order: the database closes after the tasks that use it.
    app.onClose(everyHour(hourlyTasks(app)))
    app.onClose(app.get(MailSender).start(), { milliseconds: MAIL_MILLISECONDS })
    app.onClosing(leaveLoadBalancer(app, environment), { milliseconds: MAX_DRAIN_MILLISECONDS })
    const { origin, basePath, dataDirectory, databaseUrl } = environment
    const { url, listensOn } = await listen(app, environment)
    opened.listensAt(url)
    const hasMailbox = !environment.isProduction && environment.mail === undefined
    const urls = { url: (origin ?? url) + basePath, listensOn: listensOn + basePath }
    const data = databaseUrl === undefined ? dataDirectory : opened.places.accounts.name
    process.stdout.write(banner({ ...urls, data, demo, hasMailbox }, process.stdout))
  } catch (error) {
    await close()
    throw error
  }
  beginLogging(environment)
  for (const warning of environment.warnings) log.warn(warning)
  await reportFaults(app, environment)
}

// Such as that nobody can administer accounts yet, and how to change that.
async function reportFaults(app: App, { isProduction }: Environment): Promise<void> {
  const log = getLogger(['app'])
  try {
    const fault = await app.get(FactorKeys).warning()
    if (fault !== undefined) log.error(fault)
    if (isProduction) for (const finding of await app.get(Parts).findings(app)) log.warn(finding)
  } catch (error) {
    log.error('The installation could not be checked', { error })
  }
}

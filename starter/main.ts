import { getLogger } from '@logtape/logtape'
import { SystemClock } from 'sallyport'
import { serve } from 'sallyport/node'
import { banner } from './core/boot/banner.ts'
import { runCommand } from './commands.ts'
import { sentence } from './core/commands/sentence.ts'
import { demoAccountOf } from './core/boot/demo-account.ts'
import { type Environment, readEnvironment, StartupError } from './core/boot/environment.ts'
import { cannotListen, serveOptionsOf } from './core/boot/listening.ts'
import { FactorKeys } from './core/factors/factor-keys.ts'
import { byName } from './core/boot/local-address.ts'
import { beginLogging } from './core/boot/logging.ts'
import { warningsAbout } from './core/boot/data-directory.ts'
import { openApplication } from './opened.ts'
import { everyHour } from './core/operations/every-hour.ts'
import { hourlyTasks } from './core/operations/hourly-tasks.ts'
import { isLoopback } from './core/clients/loopback.ts'
import { PARTS } from './parts.ts'

const clock = new SystemClock()

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
  const demo = await demoAccountOf(opened, environment, clock).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const log = getLogger(['starter'])
  app.onError((error, context) => log.error('Request {request} failed', { request: context.id(), error }))
  app.onClose(close)
  // Hooks run in reverse order: the database closes after the task that uses it.
  app.onClose(everyHour(hourlyTasks(app)))

  const { origin, basePath, dataDirectory } = environment
  const server = await serve(app, serveOptionsOf(environment)).catch(async (error: unknown) => {
    await close()
    throw cannotListen(error, environment)
  })
  const url = await byName(reachable(server.url))
  opened.listensAt(url)
  const facts = {
    url: (origin ?? url) + basePath,
    listensOn: server.url + basePath,
    dataDirectory,
    demo,
    isProduction: environment.isProduction,
    isReachable: !isOnlyHere(environment.host),
    hasMailbox: !environment.isProduction && environment.mail === undefined,
  }
  process.stdout.write(banner(facts, process.stdout))
  beginLogging(environment)
  for (const warning of warningsAbout(environment)) log.warn(warning)
  const keys = app.get(FactorKeys)
  await keys.warning().then(
    (fault) => fault !== undefined && log.error(fault),
    (error: unknown) => log.error('The secrets of factors could not be checked', { error }),
  )
}

function isOnlyHere(host: string): boolean {
  return host === 'localhost' || isLoopback(host)
}

// A server that listens on all addresses is reachable on this one.
function reachable(url: string): string {
  return url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')
}

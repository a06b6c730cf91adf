/**
 * Runs the command line of this process.
 *
 * @module
 */
import type { App } from '../app/index.ts'
import { inOneLine } from '../core/internal.ts'
import { closeApplication, loadApplication } from './application.ts'
import { checkRoutes, reportNoBoot } from './check-command.ts'
import { type Command, HELP, parseCommand, UsageError } from './command-line.ts'
import { explainUrl } from './explain-command.ts'
import { faultOf } from './fault.ts'
import { printInformation } from './info-command.ts'
import { checkTypes, listRoutes, writeTypes } from './routes-command.ts'
import { terminalOf } from './terminal.ts'

const directory = process.cwd()
const terminal = terminalOf(process.stdout, directory)

/** Runs it, and sets the exit code of the process. */
export async function runCommandLine(): Promise<void> {
  let isDone = false
  // A reader such as `head` closes the pipe when it has enough: no more output is needed then.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    isDone = true
    process.exit()
  })
  // The check did not run. With exit code 0, CI would report success.
  process.on('exit', (code) => {
    if (isDone) return
    process.exitCode = code === 0 ? 1 : code
    terminalOf(process.stderr, directory).print(
      `sallyport: the application ended the process (exit code ${code}) before the command was done`,
    )
  })
  process.exitCode = await main(process.argv.slice(2))
  isDone = true
  // Open handles of the application must not keep the command running.
  setTimeout(() => process.exit(), 500).unref()
}

async function main(args: readonly string[]): Promise<number> {
  try {
    const command = parseCommand(args)
    if (command.kind === 'help') {
      terminal.print(HELP.trimEnd())
      return 0
    }
    const app = await load(command)
    if (app === null) return 1
    try {
      return await run(command, app)
    } finally {
      await close(app)
    }
  } catch (error) {
    return fail(error)
  }
}

// For `check`, an application that does not boot is a result, and `info` describes what it does not boot on.
async function load(command: Exclude<Command, { kind: 'help' }>): Promise<App | null> {
  try {
    return await loadApplication(command, directory)
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (command.kind === 'check') reportNoBoot(faultOf(error), command, terminal)
    else if (command.kind === 'info') {
      fail(error)
      await printInformation(null, { directory, json: command.json }, terminal)
    } else throw error
    return null
  }
}

// The result has been printed: a failure to close is reported but does not change it.
async function close(app: App): Promise<void> {
  const fault = await closeApplication(app)
  if (fault === null) return
  const errors = terminalOf(process.stderr, directory)
  errors.print(`sallyport: ${errors.shorten(fault)}`)
}

async function run(command: Exclude<Command, { kind: 'help' }>, app: App): Promise<number> {
  const inspection = await app.inspection()
  switch (command.kind) {
    case 'routes':
      listRoutes(inspection, command, terminal)
      return 0
    case 'types': {
      const target = { out: command.out, directory }
      if (command.check) return checkTypes(inspection, target, terminal) ? 0 : 1
      writeTypes(inspection, target, terminal)
      return 0
    }
    case 'info':
      await printInformation(app, { directory, json: command.json }, terminal)
      return 0
    case 'explain':
      return (await explainUrl(inspection, command, terminal)) ? 0 : 1
    default:
      return (await checkRoutes(inspection, command, terminal)) ? 0 : 1
  }
}

function fail(error: unknown): number {
  const errors = terminalOf(process.stderr, directory)
  if (error instanceof UsageError) {
    errors.print(`sallyport: ${inOneLine(error.message)} (sallyport --help)`)
    return 2
  }
  errors.print(`sallyport: ${errors.shorten(faultOf(error))}`)
  return 1
}

import { type CommandEnd, sentence } from '../commands/index.ts'
import { StartupError } from '../settings/index.ts'

/** What a program does. */
export interface ProgramWork {
  /**
   * Serves the application, where nothing was typed.
   *
   * @throws {StartupError} If it cannot be served.
   */
  serve(): Promise<void>
  /**
   * Runs a command.
   *
   * @param line What was typed.
   * @returns How it ended.
   */
  command(line: readonly string[]): Promise<CommandEnd>
}

/**
 * Runs the program of a process. What prevents its start is said in one line, and the process ends with 1. Files that it makes belong to
 * its owner alone, even if others may list the data folder.
 *
 * @param line What was typed after `npm start --`.
 * @param work What the program does.
 */
export async function runProgram(line: readonly string[], work: ProgramWork): Promise<void> {
  process.umask(0o077)
  try {
    if (line.length === 0) await work.serve()
    else await runOnce(line, work)
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    process.stderr.write(`${sentence(`Cannot start: ${error.message}`)}\n`)
    process.exitCode = 1
  }
}

async function runOnce(line: readonly string[], work: ProgramWork): Promise<void> {
  const { exitCode, text } = await work.command(line)
  const stream = exitCode === 0 ? process.stdout : process.stderr
  stream.write(text)
  process.exitCode = exitCode
}

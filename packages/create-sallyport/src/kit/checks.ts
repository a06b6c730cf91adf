/**
 * What npm does after a change.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** A command that ran. */
export interface Check {
  readonly command: string
  readonly isGood: boolean
  /** The end of what it printed, if it failed. */
  readonly output: string
}

/** What is to be run. */
export interface Wanted {
  /** Words behind "npm install"; undefined where nothing must be installed. */
  readonly install: readonly string[] | undefined
  /** Whether the tests are run, too. */
  readonly tests: boolean
}

/**
 * Runs one after the other, up to the first that fails.
 *
 * @param folder Folder of a project.
 * @param wanted What is to be run.
 * @returns What ran. Without packages, the checks do not run.
 */
export function runChecks(folder: string, { install, tests }: Wanted): readonly Check[] {
  const done: Check[] = []
  if (install !== undefined) done.push(npm(folder, ['install', ...install]))
  if (!existsSync(join(folder, 'node_modules'))) return done
  const commands = [['run', 'ways-in'], ['run', 'check'], ...(tests ? [['test']] : [])]
  for (const words of commands) {
    if (done.some(({ isGood }) => !isGood)) break
    done.push(npm(folder, words))
  }
  return done
}

const LAST_LINES = 20

function npm(folder: string, words: readonly string[]): Check {
  const { status, stdout, stderr, error } = spawnSync('npm', words, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 64 * 1024 * 1024,
  })
  const lines = error === undefined ? `${stdout}${stderr}`.trimEnd().split('\n') : [error.message]
  return {
    command: ['npm', ...words].join(' '),
    isGood: status === 0,
    output: status === 0 ? '' : lines.slice(-LAST_LINES).join('\n'),
  }
}

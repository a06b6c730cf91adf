/** An installation, and its command line. @module */
import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { FrozenClock } from 'sallyport/testing'
import type { CommandEnd } from 'sallyport-app/commands'
import { readEnvironment } from '../../core/boot/environment.ts'
import type { Opened } from 'sallyport-app/program'
import { openApplication } from '../../opened.ts'
import { Identity } from '../identity.ts'
import { temporary } from '../support.ts'
import { runPrinted } from './printed.ts'

/** Its key, which no command prints. */
export const KEY: string = `${'ab'.repeat(31)}01`
/** A reason, as commands ask for one. */
export const REASON: readonly string[] = ['--reason', 'ticket 4711']

type Variables = Readonly<Record<string, string>>
type Line = readonly string[]

/** An installation, and its command line. */
export interface Desk {
  readonly clock: FrozenClock
  readonly open: () => Promise<Opened>
  readonly run: (...line: Line) => Promise<CommandEnd>
  readonly runWith: (changed: Variables, ...line: Line) => Promise<CommandEnd>
  readonly identity: () => Promise<Identity>
}

/** @returns A new one, in production unless it is asked for otherwise. */
export function desk(test: TestContext, more: Variables = {}): Desk {
  const variables: Variables = {
    DATA_DIR: temporary(test),
    NODE_ENV: 'production',
    FACTOR_KEY: KEY,
    ...more,
  }
  const clock = new FrozenClock('2026-01-01T00:00:00Z')
  const open = async (): Promise<Opened> => {
    const opened = await openApplication(readEnvironment(variables), clock)
    test.after(() => opened.close())
    return opened
  }
  return {
    clock,
    open,
    run: (...line: readonly string[]) => runPrinted(line, variables, clock),
    runWith: (changed: Variables, ...line: readonly string[]) =>
      runPrinted(line, { ...variables, ...changed }, clock),
    identity: async () => (await open()).app.get(Identity),
  }
}

/**
 * Runs commands in every way: right, twice, asked for help, with an option and words too many, and without a good reason. What each
 * prints is looked at as it is run.
 *
 * @param run Runs one.
 * @param lines Lines that can be done.
 */
export async function runEveryWay(run: Desk['run'], lines: readonly (readonly string[])[]): Promise<void> {
  // Each line is run twice: the second time, what it does has been done.
  const done = new Set<string>()
  for (const line of [...lines, ...lines]) {
    const [name = ''] = line
    if ((await run(...line)).exitCode === 0) done.add(name)
    for (const more of ['--help', '--unknown']) await run(name, more)
    await run(...line, 'one', 'more', 'word', 'than', 'needed')
    await run(...line.map((word) => (word === 'ticket 4711' ? 'x' : word)))
  }
  assert.deepEqual([...done].toSorted(), lines.map(([name]) => name).toSorted())
}

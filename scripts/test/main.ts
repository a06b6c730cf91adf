/**
 * Runs the checks and tests of this project. See ../test.mjs for the commands.
 *
 * | argument | |
 * |---|---|
 * | (none) | the quick parts: what must hold before a change goes in |
 * | words | the test files with one of the words in their path, each in a process of its own, with every title |
 * | `--all` | every part; words name the parts to run instead |
 * | `--resume` | without the parts that have passed since this commit was made |
 * | `--test-…` | options of Node's test runner |
 *
 * With `TEST_LEAVES`, a folder, the result of each test is written there, for `npm run conformance -- --leaves <folder>`.
 *
 * @module
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { parseCommand } from './command.ts'
import { Run } from './run.ts'

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/[/\\]$/, '')
const controller = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => controller.abort())

// Whatever tests leave behind lies below it. A database server runs as another user, and must get there.
const folder = mkdtempSync(join(tmpdir(), 'sallyport-run-'))
chmodSync(folder, 0o755)
try {
  const env = { ...process.env, TMPDIR: folder }
  const command = parseCommand(process.argv.slice(2))
  const passed = await new Run({ root, folder, env, signal: controller.signal }).execute(command)
  process.exitCode = passed && !controller.signal.aborted ? 0 : 1
} catch (error) {
  if (!(error instanceof RangeError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Writes to one session from four processes at once.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { randomIdentifier } from '../../src/core/internal.ts'
import type { SessionStore } from '../../src/session/index.ts'

const run = promisify(execFile)
const processes = ['one', 'two', 'three', 'four']
const entriesOfEach = 50

/**
 * Checks that every entry of every process is there in the end.
 *
 * @param store A store of this process.
 * @param kind Kind and address of the store for the others.
 */
export async function testSeveralProcesses(
  store: SessionStore,
  kind: readonly [string, string],
): Promise<void> {
  const id = randomIdentifier()
  const now = Date.now()
  await store.create(id, new Map(), { createdAt: now, expiresAt: now + 60_000 })

  const writer = fileURLToPath(import.meta.resolve('./store-writer.ts'))
  const command = (name: string): string[] => [
    '--conditions=sallyport-source',
    writer,
    ...kind,
    id,
    name,
    String(entriesOfEach),
  ]
  await Promise.all(processes.map((name) => run(process.execPath, command(name))))

  const keys = processes.flatMap((name) => Array.from({ length: entriesOfEach }, (_, i) => `${name}-${i}`))
  assert.deepEqual(new Set((await store.read(id))?.data.keys()), new Set(keys))
}

import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { temporary } from '../support.ts'
import { codeNow, Program, Visitor } from './process.ts'

/** The permissions of every file in a folder. */
function permissions(directory: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(directory).map((name) => [name, (statSync(join(directory, name)).mode & 0o777).toString(8)]),
  )
}

describe('files that hold keys or data', () => {
  it('are readable by their owner only, whatever the umask and an existing folder say [RA-3206]', async (test) => {
    const umask = process.umask(0)
    test.after(() => process.umask(umask))
    const directory = join(temporary(test), 'data')
    mkdirSync(directory)
    chmodSync(directory, 0o777)
    const variables = { DATA_DIR: directory }
    const expected = {
      'accounts.sqlite': '600',
      'accounts.sqlite-shm': '600',
      'accounts.sqlite-wal': '600',
      'factor.key': '600',
      'sessions.sqlite': '600',
      'sessions.sqlite-shm': '600',
      'sessions.sqlite-wal': '600',
    }

    const first = new Program(test, variables)
    const visitor = new Visitor(await first.url())
    await visitor.password('two-doors-one-gate')
    await visitor.code(await codeNow(await first.secret()))
    assert.deepEqual(permissions(directory), expected)
    const command = await new Program(test, variables, ['rotate-key', '--reason', 'once a year']).ended()
    assert.deepEqual([command.code, permissions(directory)], [0, expected])
    await first.ended('SIGKILL')

    // A copy that was restored, or another program.
    for (const name of readdirSync(directory)) chmodSync(join(directory, name), 0o666)
    const second = new Program(test, variables)
    await second.banner()
    await second.ended('SIGTERM')
    assert.deepEqual([...new Set(Object.values(permissions(directory)))], ['600'])
    // The folder may hold other things, and belongs to whoever made it.
    assert.equal(statSync(directory).mode & 0o777, 0o777)
  })
})

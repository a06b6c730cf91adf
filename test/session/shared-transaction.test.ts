import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it } from 'node:test'

import { SqliteSessionStore } from '../../src/session/sqlite.ts'
import { FrozenClock } from '../../src/testing/index.ts'

const HOUR = 3_600_000

describe('SqliteSessionStore with several writes at once', () => {
  const faults = ['FAIL', 'ABORT', 'ROLLBACK'] as const
  for (const fault of faults) {
    it(`does all writes that arrive with one that ends in ${fault}`, async (t) => {
      using file = inDirectory()
      const clock = new FrozenClock()
      const lifetime = { createdAt: 0, expiresAt: clock.milliseconds() + HOUR }
      const store = new SqliteSessionStore({ path: file.path, clock })
      t.after(() => store.close())
      await store.create('from', new Map([['a', '1']]), lifetime)
      using saboteur = new DatabaseSync(file.path)
      saboteur.exec(`CREATE TRIGGER not_this BEFORE INSERT ON sallyport_session WHEN NEW.id = 'refused'
        BEGIN SELECT RAISE(${fault}, 'disk full'); END`)
      const changes = { set: new Map([['b', '2']]), removed: new Set<string>() }

      const outcomes = await Promise.allSettled([
        store.create('first', new Map(), lifetime),
        store.rotate('from', 'to', changes, lifetime),
        store.create('refused', new Map(), lifetime),
        store.update('from', changes, lifetime),
        store.destroy('first'),
      ])

      const values = outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.status))
      assert.deepEqual(values, [undefined, true, 'rejected', false, undefined])
      const moved = await store.read('to')
      assert.deepEqual(
        [...(moved?.data ?? [])],
        [
          ['a', '1'],
          ['b', '2'],
        ],
      )
      assert.equal((await store.read('from'))?.successor, 'to')
      assert.equal((await store.read('first'))?.ended, true)
      assert.equal(await store.read('refused'), null)
    })
  }

  it('confirms no write of several when the commit fails, and none is done twice', async (t) => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const lifetime = { createdAt: 0, expiresAt: clock.milliseconds() + HOUR }
    const store = new SqliteSessionStore({ path: file.path, clock })
    t.after(() => store.close())
    const { exec } = DatabaseSync.prototype
    const failure = Object.assign(new Error('disk I/O error'), { errcode: 10 })
    const failing = t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string) {
      if (sql === 'COMMIT') throw failure
      return exec.call(this, sql)
    })

    const outcomes = await Promise.allSettled(['a', 'b'].map((id) => store.create(id, new Map(), lifetime)))

    failing.mock.restore()
    assert.deepEqual(
      outcomes.map((each) => each.status === 'rejected' && each.reason === failure),
      [true, true],
    )
    assert.deepEqual([await store.read('a'), await store.read('b')], [null, null])
  })

  it('does what was asked for before it is closed', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const store = new SqliteSessionStore({ path: file.path, clock })
    const write = store.create('id', new Map(), { createdAt: 0, expiresAt: clock.milliseconds() + HOUR })

    store.close()

    await write
    const second = new SqliteSessionStore({ path: file.path, clock })
    assert.notEqual(await second.read('id'), null)
    second.close()
  })

  it('writes what arrives together to the disk once', async (t) => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const lifetime = { createdAt: 0, expiresAt: clock.milliseconds() + HOUR }
    const store = new SqliteSessionStore({ path: file.path, clock })
    t.after(() => store.close())
    const log = (): number => statSync(`${file.path}-wal`).size
    const before = log()
    await store.create('alone', new Map(), lifetime)
    const one = log() - before

    await Promise.all(Array.from({ length: 20 }, (_, at) => store.create(`id${at}`, new Map(), lifetime)))

    assert.ok(log() - before < 4 * one, `${log() - before} bytes, ${one} for one write`)
  })
})

function inDirectory(): { path: string; [Symbol.dispose](): void } {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-sessions-'))
  return {
    path: join(directory, 'sessions.db'),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  }
}

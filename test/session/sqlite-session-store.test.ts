import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Worker } from 'node:worker_threads'
import { describe, it } from 'node:test'

import { SqliteSessionStore } from '../../src/session/sqlite.ts'
import { FrozenClock, proveSessionStore } from '../../src/testing/index.ts'
import { runModule } from '../services/module-process.ts'

const HOUR = 3_600_000

// Has the file for itself for a moment.
const HOLDER = `
  const { parentPort, workerData } = require('node:worker_threads')
  const { DatabaseSync } = require('node:sqlite')
  const database = new DatabaseSync(workerData)
  database.exec('BEGIN EXCLUSIVE')
  parentPort.postMessage('locked')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 150)
  database.exec('COMMIT')
  database.close()
`

// Opens one file after the other, each in the same instant as the others that were given it.
const OPENER = `
  const { parentPort, workerData } = require('node:worker_threads')
  import(workerData).then(({ SqliteSessionStore }) => {
    parentPort.on('message', (path) => {
      try {
        new SqliteSessionStore({ path }).close()
        parentPort.postMessage(null)
      } catch (error) {
        parentPort.postMessage(String(error))
      }
    })
    parentPort.postMessage(null)
  })
`

describe('SqliteSessionStore as a session store', () => {
  proveSessionStore(
    (clock) => new SqliteSessionStore({ path: ':memory:', clock }),
    (store) => store.close(),
  )
})

describe('SqliteSessionStore in a file that other software writes to', () => {
  const files = new Map<SqliteSessionStore, ReturnType<typeof inDirectory>>()

  proveSessionStore(
    (clock) => {
      const file = inDirectory()
      const store = new SqliteSessionStore({ path: file.path, clock })
      files.set(store, file)
      return store
    },
    (store) => {
      store.close()
      files.get(store)?.[Symbol.dispose]()
    },
    {
      spoil: (store, id) => {
        const database = new DatabaseSync(files.get(store)?.path ?? '')
        database.prepare('UPDATE sallyport_session SET data = ? WHERE id = ?').run('{"a":', id.slice(2))
        database.close()
      },
    },
  )
})

function inDirectory(): { path: string; [Symbol.dispose](): void } {
  const directory = mkdtempSync(join(tmpdir(), 'sallyport-sessions-'))
  return {
    path: join(directory, 'sessions.db'),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  }
}

describe('SqliteSessionStore', () => {
  it('two connections to one file see and keep each other’s changes [R-07]', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const lifetime = { createdAt: clock.milliseconds(), expiresAt: clock.milliseconds() + HOUR }
    const one = new SqliteSessionStore({ path: file.path, clock })
    const two = new SqliteSessionStore({ path: file.path, clock, durable: false })
    await one.create('id', new Map(), lifetime)

    for (let i = 0; i < 50; i++) {
      const store = i % 2 === 0 ? one : two
      await store.update('id', { set: new Map([[`k${i}`, '1']]), removed: new Set() }, lifetime)
    }

    assert.equal((await one.read('id'))?.data.size, 50)
    await two.destroy('id')
    assert.equal(await one.update('id', { set: new Map(), removed: new Set() }, lifetime), false)
    one.close()
    two.close()
  })

  it('keeps sessions across a restart', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const first = new SqliteSessionStore({ path: file.path, clock })
    await first.create('id', new Map([['a', '1']]), { createdAt: 0, expiresAt: clock.milliseconds() + HOUR })
    first.close()

    const second = new SqliteSessionStore({ path: file.path, clock })

    assert.equal((await second.read('id'))?.data.get('a'), '1')
    second.close()
  })

  it('continues its sweeps after the clock was set back, and deletes what is dated later [HOLD-50]', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-stepped-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'sessions.sqlite')
    const clock = new FrozenClock()
    const store = new SqliteSessionStore({ path, clock })
    const rows = new DatabaseSync(path)
    const ids = (): unknown[] =>
      rows
        .prepare('SELECT id FROM sallyport_session ORDER BY id')
        .all()
        .map(({ id }) => id)
    const write = (id: string): Promise<void> => {
      const now = clock.milliseconds()
      return store.create(id, new Map(), { createdAt: now, expiresAt: now + 30_000 })
    }
    clock.advance(31_536_000)
    await write('ahead')
    clock.advance(-31_536_000)
    await write('first')
    assert.deepEqual(ids(), ['first'])
    clock.advance(61)
    await write('second')
    assert.deepEqual(ids(), ['second'])
    rows.close()
    store.close()
  })

  it('deletes expired rows, more of them than one sweep holds [R-70]', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const store = new SqliteSessionStore({ path: file.path, clock, durable: false })
    const soon = { createdAt: 0, expiresAt: clock.milliseconds() + 1000 }
    for (let i = 0; i < 2500; i++) await store.create(`id${i}`, new Map(), soon)

    for (let second = 0; second < 4; second++) {
      clock.advance(61)
      await store.create(`late${second}`, new Map(), { createdAt: 0, expiresAt: clock.milliseconds() + HOUR })
      clock.advance(1)
      await store.create(`later${second}`, new Map(), {
        createdAt: 0,
        expiresAt: clock.milliseconds() + HOUR,
      })
    }

    store.close()
    const database = new DatabaseSync(file.path)
    assert.equal(database.prepare('SELECT count(*) AS n FROM sallyport_session').get()?.['n'], 8)
    database.close()
  })

  it('does not wait a minute to continue a sweep that left rows', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const store = new SqliteSessionStore({ path: file.path, clock, durable: false })
    for (let i = 0; i < 1500; i++)
      await store.create(`id${i}`, new Map(), { createdAt: 0, expiresAt: clock.milliseconds() + 1000 })
    clock.advance(61)

    await store.create('a', new Map(), { createdAt: 0, expiresAt: clock.milliseconds() + HOUR })
    clock.advance(2)
    await store.create('b', new Map(), { createdAt: 0, expiresAt: clock.milliseconds() + HOUR })

    store.close()
    const database = new DatabaseSync(file.path)
    assert.equal(database.prepare('SELECT count(*) AS n FROM sallyport_session').get()?.['n'], 2)
    database.close()
  })

  it('looks for expired rows at most once a minute', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const store = new SqliteSessionStore({ path: file.path, clock, durable: false })
    const late = { createdAt: 0, expiresAt: clock.milliseconds() + HOUR }
    const rows = (): unknown => {
      using database = new DatabaseSync(file.path)
      return database
        .prepare('SELECT id FROM sallyport_session ORDER BY id')
        .all()
        .map(({ id }) => id)
    }
    await store.create('first', new Map(), late)
    await store.create('gone', new Map(), { createdAt: 0, expiresAt: clock.milliseconds() + 1000 })

    clock.advance(59)
    await store.create('second', new Map(), late)
    const before = rows()
    clock.advance(1)
    await store.create('third', new Map(), late)

    assert.deepEqual(before, ['first', 'gone', 'second'])
    assert.deepEqual(rows(), ['first', 'second', 'third'])
    store.close()
  })

  it('a sweep deletes what has expired and what is dated more than a minute ahead, and no more [HOLD-50]', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const store = new SqliteSessionStore({ path: file.path, clock, durable: false })
    const now = clock.milliseconds()
    const later = now + HOUR
    using rows = new DatabaseSync(file.path)
    const insert = rows.prepare("INSERT INTO sallyport_session VALUES (?, '{}', 0, ?, ?, NULL)")
    insert.run('expired', now - 1, now)
    insert.run('not yet', now - 1, now + 1)
    insert.run('ahead', now + 60_000, later)
    insert.run('too far', now + 60_001, later)

    await store.destroy('nothing')

    const left = rows.prepare('SELECT id FROM sallyport_session ORDER BY id').all()
    assert.deepEqual(
      left.map(({ id }) => id),
      ['ahead', 'not yet'],
    )
    store.close()
  })

  it('continues a second later when more is dated in the future than one sweep holds [HOLD-50]', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const store = new SqliteSessionStore({ path: file.path, clock, durable: false })
    const ahead = clock.milliseconds() + HOUR
    using rows = new DatabaseSync(file.path)
    const insert = rows.prepare("INSERT INTO sallyport_session VALUES (?, '{}', 0, ?, ?, NULL)")
    rows.exec('BEGIN')
    for (let i = 0; i < 1500; i++) insert.run(`id${i}`, ahead, ahead + HOUR)
    rows.exec('COMMIT')
    const left: unknown[] = []
    for (const seconds of [0, 0.999, 0.001]) {
      clock.advance(seconds)
      await store.destroy('nothing')
      left.push(rows.prepare('SELECT count(*) AS n FROM sallyport_session').get()?.['n'])
    }

    assert.deepEqual(left, [500, 500, 0])
    store.close()
  })

  it('keeps a write-ahead log next to the file, so that no reader waits for a writer', async () => {
    using file = inDirectory()
    const store = new SqliteSessionStore({ path: file.path })
    using other = new DatabaseSync(file.path)

    assert.equal(other.prepare('PRAGMA journal_mode').get()?.['journal_mode'], 'wal')
    store.close()
  })

  it('makes writes that survive a power failure, by default', (t) => {
    const exec = t.mock.method(DatabaseSync.prototype, 'exec')
    const modes = (durable?: boolean): readonly string[] => {
      exec.mock.resetCalls()
      new SqliteSessionStore({ path: ':memory:', ...(durable === undefined ? {} : { durable }) }).close()
      const said = exec.mock.calls.map(({ arguments: [sql] }) => sql).join()
      return [...said.matchAll(/synchronous = (\w+)/g)].map(([, mode = '']) => mode)
    }

    assert.deepEqual([modes(), modes(true), modes(false)], [['FULL'], ['FULL'], ['NORMAL']])
  })

  it('writes nothing of an operation that fails halfway', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const lifetime = { createdAt: 0, expiresAt: clock.milliseconds() + HOUR }
    const store = new SqliteSessionStore({ path: file.path, clock })
    await store.create('from', new Map([['a', '1']]), lifetime)
    const saboteur = new DatabaseSync(file.path)
    saboteur.exec(`CREATE TRIGGER no_tombstones BEFORE UPDATE ON sallyport_session WHEN NEW.ended = 1
      BEGIN SELECT RAISE(FAIL, 'disk full'); END`)

    await assert.rejects(
      store.rotate('from', 'to', { set: new Map(), removed: new Set() }, lifetime),
      /disk full/,
    )

    assert.equal(await store.read('to'), null)
    assert.equal((await store.read('from'))?.data.get('a'), '1')
    saboteur.exec('DROP TRIGGER no_tombstones')
    assert.equal(await store.rotate('from', 'to', { set: new Map(), removed: new Set() }, lifetime), true)
    saboteur.close()
    store.close()
  })

  it('reports a failure that has already rolled back the transaction', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const lifetime = { createdAt: 0, expiresAt: clock.milliseconds() + HOUR }
    const store = new SqliteSessionStore({ path: file.path, clock })
    const saboteur = new DatabaseSync(file.path)
    saboteur.exec(`CREATE TRIGGER nothing_new BEFORE INSERT ON sallyport_session
      BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END`)

    await assert.rejects(store.create('id', new Map(), lifetime), /disk full/)

    saboteur.exec('DROP TRIGGER nothing_new')
    await store.create('id', new Map(), lifetime)
    assert.notEqual(await store.read('id'), null)
    saboteur.close()
    store.close()
  })

  it('waits for another process that has the file locked when it is opened', async () => {
    using file = inDirectory()
    const holder = new Worker(HOLDER, { eval: true, workerData: file.path })
    await once(holder, 'message')

    const store = new SqliteSessionStore({ path: file.path })

    assert.equal(await store.read('id'), null)
    store.close()
    await holder.terminate()
  })

  it('creates the file once when several processes open it at the same time', async (t) => {
    const source = new URL('../../src/session/sqlite.ts', import.meta.url).href
    const openers = Array.from({ length: 6 }, () => new Worker(OPENER, { eval: true, workerData: source }))
    t.after(() => Promise.all(openers.map((opener) => opener.terminate())))
    const answers = (): Promise<unknown[]> =>
      Promise.all(openers.map(async (opener) => ((await once(opener, 'message')) as [unknown])[0]))
    await answers()

    // Without another attempt, one of ten failed.
    for (let round = 0; round < 100; round++) {
      using file = inDirectory()
      const opened = answers()
      for (const opener of openers) opener.postMessage(file.path, [])
      assert.deepEqual(await opened, [null, null, null, null, null, null])
    }
  })

  it('rejects instead of throwing after it is closed', async () => {
    const store = new SqliteSessionStore({ path: ':memory:' })
    store.close()

    await assert.rejects(store.read('id'), Error)
    await assert.rejects(
      store.update('id', { set: new Map(), removed: new Set() }, { createdAt: 0, expiresAt: 1 }),
      Error,
    )
    await assert.rejects(store.destroy('id'), Error)
  })

  it('leaves the event loop to others while another process writes, and continues when it has finished [R-21]', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const lifetime = { createdAt: clock.milliseconds(), expiresAt: clock.milliseconds() + HOUR }
    const store = new SqliteSessionStore({ path: file.path, clock })
    await store.create('id', new Map([['a', '1']]), lifetime)
    using other = new DatabaseSync(file.path)
    other.exec('BEGIN IMMEDIATE')

    const writes = ['b', 'c'].map((key) =>
      store.update('id', { set: new Map([[key, '1']]), removed: new Set() }, lifetime),
    )
    const ended = store.destroy('other')
    assert.equal((await store.read('id'))?.data.size, 1)
    other.exec('COMMIT')

    assert.deepEqual(await Promise.all(writes), [true, true])
    await ended
    assert.deepEqual([...((await store.read('id'))?.data.keys() ?? [])], ['a', 'b', 'c'])
    store.close()
  })

  it('times out when another process does not finish, and has written nothing [R-21]', async () => {
    using file = inDirectory()
    const clock = new FrozenClock()
    const lifetime = { createdAt: clock.milliseconds(), expiresAt: clock.milliseconds() + HOUR }
    const store = new SqliteSessionStore({ path: file.path, clock, timeoutMilliseconds: 40 })
    using other = new DatabaseSync(file.path)
    other.exec('BEGIN EXCLUSIVE')

    const timeout = {
      name: 'SessionStoreException',
      code: 'ERR_SESSION_STORE_TIMEOUT',
      message: 'SQLite did not answer in time',
    }
    await assert.rejects(store.create('id', new Map(), lifetime), timeout)
    await assert.rejects(store.create('id', new Map(), lifetime), (error) => {
      return error instanceof Error && /locked/.test(String(error.cause))
    })
    other.exec('COMMIT')

    assert.equal(await store.read('id'), null)
    store.close()
  })

  it('waits out whatever SQLite calls busy, and nothing else [R-21]', async (t) => {
    const store = new SqliteSessionStore({ path: ':memory:' })
    t.after(() => store.close())
    const { exec } = DatabaseSync.prototype
    let failure: Error | null = null
    t.mock.method(DatabaseSync.prototype, 'exec', function (this: DatabaseSync, sql: string): void {
      if (failure === null || !sql.startsWith('BEGIN')) return exec.call(this, sql)
      const thrown = failure
      failure = null
      throw thrown
    })

    // SQLITE_BUSY, and the extended codes for a recovery, a snapshot and a time limit.
    for (const errcode of [5, 261, 517, 773]) {
      failure = Object.assign(new Error('busy'), { errcode })
      await store.destroy('id')
      assert.equal(failure, null)
    }
    // SQLITE_ERROR, SQLITE_LOCKED, SQLITE_IOERR, and an extended code of it.
    for (const codes of [{ errcode: 1 }, { errcode: 6 }, { errcode: 10 }, { errcode: 1290 }, {}]) {
      const other = Object.assign(new Error('other'), codes)
      failure = other
      await assert.rejects(store.destroy('id'), other)
    }
  })

  it('refuses a wait of zero', () => {
    for (const timeoutMilliseconds of [0, -1, Number.NaN])
      assert.throws(() => new SqliteSessionStore({ path: ':memory:', timeoutMilliseconds }), RangeError)
  })

  it('refuses a file that is not a database, by its path', () => {
    assert.throws(
      () => new SqliteSessionStore({ path: import.meta.filename }),
      refusal(`Cannot open the session database ${JSON.stringify(import.meta.filename)}: file is not a`),
    )
  })

  it('refuses a file in a missing folder, and names both', () => {
    using file = inDirectory()
    const folder = join(dirname(file.path), 'missing')
    const path = join(folder, 'sessions.db')

    assert.throws(
      () => new SqliteSessionStore({ path }),
      refusal(
        `Cannot open the session database ${JSON.stringify(path)}: there is no folder ${JSON.stringify(folder)}; create`,
      ),
    )
  })

  it('refuses a folder in place of the file, by its path', () => {
    using file = inDirectory()
    const path = dirname(file.path)

    assert.throws(
      () => new SqliteSessionStore({ path }),
      refusal(`Cannot open the session database ${JSON.stringify(path)}: unable to open`),
    )
  })
})

function refusal(start: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Error)
    assert.ok(error.message.startsWith(start), error.message)
    assert.ok(error.cause instanceof Error && 'code' in error.cause)
    return true
  }
}

// The table of the version before there were owners.
const FORMER = `
  CREATE TABLE sallyport_session (
    id TEXT PRIMARY KEY,
    data TEXT NOT NULL,
    ended INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sallyport_session_expiry ON sallyport_session (expires_at);
`

describe('SqliteSessionStore over the table of the version before', () => {
  const id = 'x'.repeat(43)
  const lifetime = { createdAt: Date.parse('2026-01-01'), expiresAt: Date.parse('2026-01-01') + HOUR }

  it('adds the column, reads what is there, and gives it an owner with the next write [ACCT-07]', async () => {
    using file = inDirectory()
    const former = new DatabaseSync(file.path)
    former.exec(FORMER)
    former
      .prepare(`INSERT INTO sallyport_session VALUES (?, '{"a":"1"}', 0, ?, ?)`)
      .run(id, lifetime.createdAt, lifetime.expiresAt)
    const store = new SqliteSessionStore({ path: file.path, clock: new FrozenClock() })

    assert.deepEqual([...((await store.read(id))?.data ?? [])], [['a', '1']])
    // A process of the version before goes on meanwhile.
    former.prepare(`UPDATE sallyport_session SET data = '{"a":"2"}' WHERE id = ?`).run(id)
    former.close()
    const owner = 'o'.repeat(43)
    await store.update(id, { set: new Map(), removed: new Set(), owner }, lifetime)

    const [session] = await store.sessionsOf(owner)
    assert.deepEqual([session?.id, [...(session?.record?.data ?? [])]], [id, [['a', '2']]])
    store.close()
    new SqliteSessionStore({ path: file.path }).close()
  })

  it('adds the column once when several processes start at the same time [ACCT-07]', async () => {
    using file = inDirectory()
    const former = new DatabaseSync(file.path)
    former.exec(FORMER)
    former.close()
    const source = new URL('../../src/session/sqlite.ts', import.meta.url).href
    const starts = Array.from({ length: 4 }, () => {
      const program = `import { SqliteSessionStore } from ${JSON.stringify(source)}
        const store = new SqliteSessionStore({ path: ${JSON.stringify(file.path)} })
        console.log((await store.sessionsOf('owner')).length)`
      return runModule(program)
    })

    const outputs = await Promise.all(starts)

    assert.deepEqual(
      outputs.map(({ stdout }) => stdout),
      ['0\n', '0\n', '0\n', '0\n'],
    )
  })

  it('finds the sessions of an owner by the index [ACCT-04]', () => {
    using file = inDirectory()
    new SqliteSessionStore({ path: file.path }).close()
    const database = new DatabaseSync(file.path)

    const plan = database
      .prepare(
        'EXPLAIN QUERY PLAN SELECT id FROM sallyport_session WHERE owner = ? AND ended = 0 AND expires_at > ?',
      )
      .all('owner', 0)

    assert.match(String(plan[0]?.['detail']), /^SEARCH sallyport_session USING INDEX sallyport_session_owner/)
    database.close()
  })
})

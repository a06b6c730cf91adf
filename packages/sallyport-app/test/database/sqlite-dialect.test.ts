import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { ServiceUnavailableException } from 'sallyport/http'
import { openDatabase } from 'sallyport-app/database'
import { Chance } from 'sallyport-app/testing'
import { MIGRATIONS, type Notes, subjects, write } from '../notes.ts'
import { temporary } from '../temporary.ts'

/** A database, and a second connection to it, like that of another process. */
async function open(
  test: TestContext,
  timeoutMilliseconds = 1000,
): Promise<{ database: Kysely<Notes>; other: DatabaseSync }> {
  const path = join(temporary(test), 'notes.sqlite')
  const database = await openDatabase<Notes>(path, {
    migrations: MIGRATIONS,
    durable: false,
    timeoutMilliseconds,
  })
  const other = new DatabaseSync(path)
  test.after(async () => {
    other.close()
    await database.destroy()
  })
  return { database, other }
}

describe('a database that another process writes to', () => {
  it('is awaited by statements and transactions while others read [HOLD-53]', async (test) => {
    const { database, other } = await open(test, 10_000)
    other.exec('BEGIN IMMEDIATE')
    const writes = Promise.all([
      write(database, 'statement'),
      database.transaction().execute((transaction) => write(transaction, 'transaction')),
    ])

    for (let turn = 0; turn < 20; turn++) assert.deepEqual(await subjects(database), [])
    other.exec('COMMIT')
    await writes

    assert.deepEqual([...(await subjects(database))].sort(), ['statement', 'transaction'])
  })

  it('is a 503 after a timeout; nothing is written then [HOLD-53]', async (test) => {
    const { database, other } = await open(test, 50)
    other.exec('BEGIN IMMEDIATE')

    await assert.rejects(write(database, 'a'), ServiceUnavailableException)
    await assert.rejects(
      database.transaction().execute((transaction) => write(transaction, 'b')),
      ServiceUnavailableException,
    )
    other.exec('COMMIT')
    await write(database, 'c')

    assert.deepEqual(await subjects(database), ['c'])
  })
})

describe('transactions', () => {
  it('take the write lock when they begin, so nothing is written between a read and a write', async (test) => {
    const { database, other } = await open(test)
    other.exec('PRAGMA busy_timeout = 0')

    await database.transaction().execute(async (transaction) => {
      assert.deepEqual(await subjects(transaction), [])
      await pause(5)
      assert.throws(() => other.exec("INSERT INTO note (subject, at) VALUES ('theirs', 1)"), /locked/)
      await write(transaction, 'ours')
    })

    assert.deepEqual(await subjects(database), ['ours'])
  })

  it('that come at once leave only what was confirmed, and show nothing before, in any order [HOLD-53]', async (test) => {
    const { database, other } = await open(test)
    const committed = other.prepare('SELECT subject FROM note ORDER BY at')
    const stored = (): readonly string[] => committed.all().map((row) => String(row['subject']))
    const chance = new Chance(7)
    const kept: string[] = []
    const one = async (subject: string): Promise<void> => {
      const isKept = chance.between(1, 10) <= 6
      for (let turns = chance.between(0, 2); turns > 0; turns--) await nextTurn()
      if (chance.between(1, 10) <= 3) {
        const shown = await subjects(database)
        const known = new Set(stored())
        assert.ok(shown.every((name) => known.has(name)))
      }
      const writing = database.transaction().execute(async (transaction) => {
        await write(transaction, subject)
        if (chance.between(1, 10) <= 3) await nextTurn()
        if (!isKept) throw new Error('undone')
      })
      if (isKept) await writing.then(() => kept.push(subject))
      else await assert.rejects(writing, /undone/)
    }
    for (let round = 0; round < 60; round++)
      await Promise.all(Array.from({ length: 8 }, (_, number) => one(`${round}.${number}`)))

    assert.deepEqual(stored().toSorted(), kept.toSorted())
    assert.ok(kept.length > 100 && kept.length < 400)
  })

  it('are refused when their commit fails, and the next one is made', async (test) => {
    const { database } = await open(test)
    const exec = DatabaseSync.prototype.exec
    const cause = Object.assign(new Error('disk I/O error'), { errcode: 10 })
    const faulty = test.mock.method(
      DatabaseSync.prototype,
      'exec',
      function (this: DatabaseSync, text: string) {
        if (text === 'COMMIT') throw cause
        exec.call(this, text)
      },
    )
    const inTransaction = (subject: string): Promise<unknown> =>
      database.transaction().execute((transaction) => write(transaction, subject))

    await Promise.all(
      ['a', 'b'].map((subject) => assert.rejects(inTransaction(subject), { status: 503, cause })),
    )
    faulty.mock.restore()

    await inTransaction('c')
    assert.deepEqual(await subjects(database), ['c'])
  })

  it('write nothing more when SQLite has rolled one of them back', async (test) => {
    const { database } = await open(test)
    await sql`CREATE TRIGGER fault BEFORE INSERT ON note WHEN NEW.subject = 'bad'
      BEGIN SELECT RAISE(ROLLBACK, 'injected'); END`.execute(database)

    const rolledBack = database.transaction().execute(async (transaction) => {
      await assert.rejects(write(transaction, 'bad'), /injected/)
      await write(transaction, 'outside')
    })
    const after = database.transaction().execute((transaction) => write(transaction, 'after'))

    await assert.rejects(rolledBack, /The transaction has been rolled back/)
    await after
    assert.deepEqual(await subjects(database), ['after'])
  })
})

describe('prepared statements', () => {
  it('see a schema that another process has changed since, and may be more than are kept', async (test) => {
    const { database, other } = await open(test)
    const all = (): Promise<{ rows: object[] }> => sql<object>`SELECT * FROM note`.execute(database)
    await write(database, 'a')
    await all()

    other.exec('ALTER TABLE note ADD COLUMN added INTEGER')

    assert.deepEqual(
      (await all()).rows.map((row) => Object.hasOwn(row, 'added')),
      [true],
    )
    for (let number = 0; number < 150; number++) {
      const { rows } = await sql<{ n: number }>`SELECT ${sql.lit(number)} AS n`.execute(database)
      assert.equal(rows[0]?.n, number)
    }
  })
})

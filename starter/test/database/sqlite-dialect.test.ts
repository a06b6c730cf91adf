import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { ServiceUnavailableException } from 'sallyport/http'
import { openDatabase } from '../../core/database/open.ts'
import { PARTS } from '../../parts.ts'
import type { Schema } from '../../core/database/schema.ts'
import { Chance } from '../crash/chance.ts'
import { withoutSqlite } from '../databases.ts'
import { temporary, World } from '../support.ts'

/** A database, and a second connection to it, like that of another process. */
async function open(
  test: TestContext,
  timeoutMilliseconds = 1000,
): Promise<{ database: Kysely<Schema>; other: DatabaseSync }> {
  const path = join(temporary(test), 'accounts.sqlite')
  const database = await openDatabase(path, { parts: PARTS, durable: false, timeoutMilliseconds })
  const other = new DatabaseSync(path)
  test.after(async () => {
    other.close()
    await database.destroy()
  })
  return { database, other }
}

let next = 0

function fail(database: Kysely<Schema>, subject: string): Promise<unknown> {
  next += 1
  return database.insertInto('attempt').values({ subject, times: '[]', at: next }).execute()
}

async function subjects(database: Kysely<Schema>): Promise<readonly string[]> {
  const rows = await database.selectFrom('attempt').select('subject').orderBy('at').execute()
  return rows.map(({ subject }) => subject)
}

describe('a database that another process writes to', () => {
  it('is awaited by statements and transactions while others read [HOLD-53]', async (test) => {
    const { database, other } = await open(test, 10_000)
    other.exec('BEGIN IMMEDIATE')
    const writes = Promise.all([
      fail(database, 'statement'),
      database.transaction().execute((transaction) => fail(transaction, 'transaction')),
    ])

    for (let turn = 0; turn < 20; turn++) assert.deepEqual(await subjects(database), [])
    other.exec('COMMIT')
    await writes

    assert.deepEqual([...(await subjects(database))].sort(), ['statement', 'transaction'])
  })

  it('is a 503 after a timeout; nothing is written then [HOLD-53]', async (test) => {
    const { database, other } = await open(test, 50)
    other.exec('BEGIN IMMEDIATE')

    await assert.rejects(fail(database, 'a'), ServiceUnavailableException)
    await assert.rejects(
      database.transaction().execute((transaction) => fail(transaction, 'b')),
      ServiceUnavailableException,
    )
    other.exec('COMMIT')
    await fail(database, 'c')

    assert.deepEqual(await subjects(database), ['c'])
  })

  it('blocks no other page while eight people sign in [HOLD-53]', { skip: withoutSqlite }, async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const signedIn = world.browser()
    await signedIn.signIn(ada)
    const browsers = Array.from({ length: 8 }, () => world.browser())
    for (const browser of browsers) await browser.open('/login')
    const other = new DatabaseSync(join(world.directory, 'accounts.sqlite'))
    test.after(() => other.close())
    other.exec('BEGIN IMMEDIATE')

    const answered: number[] = []
    const logins = browsers.map(async (browser) => {
      const page = await browser.submit('/login', { email: ada.email, password: 'wrong' })
      answered.push(page.status)
    })
    // The home page and a page that reads the locked file.
    let served = 0
    while (answered.length === 0) {
      for (const path of ['/', '/account']) assert.equal((await signedIn.open(path)).status, 200)
      served += 2
      await nextTurn()
    }
    await Promise.all(logins)

    assert.deepEqual([answered.length, ...new Set(answered)], [8, 503])
    // In a second of waiting; what stands still serves two.
    assert.ok(served >= 10, `${served} pages`)
  })
})

describe('transactions', () => {
  it('take the write lock when they begin, so nothing is written between a read and a write', async (test) => {
    const { database, other } = await open(test)
    other.exec('PRAGMA busy_timeout = 0')

    await database.transaction().execute(async (transaction) => {
      assert.deepEqual(await subjects(transaction), [])
      await pause(5)
      assert.throws(
        () => other.exec("INSERT INTO attempt (subject, times, at) VALUES ('theirs', '[]', 1)"),
        /locked/,
      )
      await fail(transaction, 'ours')
    })

    assert.deepEqual(await subjects(database), ['ours'])
  })

  it('that come at once leave only what was confirmed, and show nothing before, in any order [HOLD-53]', async (test) => {
    const { database, other } = await open(test)
    const committed = other.prepare('SELECT subject FROM attempt ORDER BY at')
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
        await fail(transaction, subject)
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
    const write = (subject: string): Promise<unknown> =>
      database.transaction().execute((transaction) => fail(transaction, subject))

    await Promise.all(['a', 'b'].map((subject) => assert.rejects(write(subject), { status: 503, cause })))
    faulty.mock.restore()

    await write('c')
    assert.deepEqual(await subjects(database), ['c'])
  })

  it('write nothing more when SQLite has rolled one of them back', async (test) => {
    const { database } = await open(test)
    await sql`CREATE TRIGGER fault BEFORE INSERT ON attempt WHEN NEW.subject = 'bad'
      BEGIN SELECT RAISE(ROLLBACK, 'injected'); END`.execute(database)

    const rolledBack = database.transaction().execute(async (transaction) => {
      await assert.rejects(fail(transaction, 'bad'), /injected/)
      await fail(transaction, 'outside')
    })
    const after = database.transaction().execute((transaction) => fail(transaction, 'after'))

    await assert.rejects(rolledBack, /The transaction has been rolled back/)
    await after
    assert.deepEqual(await subjects(database), ['after'])
  })
})

describe('prepared statements', () => {
  it('see a schema that another process has changed since, and may be more than are kept', async (test) => {
    const { database, other } = await open(test)
    const all = (): Promise<{ rows: object[] }> => sql<object>`SELECT * FROM attempt`.execute(database)
    await fail(database, 'a')
    await all()

    other.exec('ALTER TABLE attempt ADD COLUMN added INTEGER')

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

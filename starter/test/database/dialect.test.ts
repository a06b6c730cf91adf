import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { ServiceUnavailableException } from 'sallyport/http'
import { openDatabase } from '../../database/open.ts'
import type { Schema } from '../../database/schema.ts'
import { temporary, World } from '../support.ts'

/** A database, and a second connection to it, like that of another process. */
async function open(
  test: TestContext,
  timeoutMilliseconds = 1000,
): Promise<{ database: Kysely<Schema>; other: DatabaseSync }> {
  const path = join(temporary(test), 'accounts.sqlite')
  const database = await openDatabase(path, { durable: false, timeoutMilliseconds })
  const other = new DatabaseSync(path)
  test.after(async () => {
    other.close()
    await database.destroy()
  })
  return { database, other }
}

function fail(database: Kysely<Schema>, subject: string): Promise<unknown> {
  return database.insertInto('attempt').values({ subject, at: 1 }).execute()
}

async function subjects(database: Kysely<Schema>): Promise<readonly string[]> {
  const rows = await database.selectFrom('attempt').select('subject').orderBy('id').execute()
  return rows.map(({ subject }) => subject)
}

describe('a database that another process writes to', () => {
  it('HOLD-53: is awaited by statements and transactions while others read', async (test) => {
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

  it('HOLD-53: is a 503 after a timeout; nothing is written then', async (test) => {
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

  it('HOLD-53: blocks no other page while eight people sign in', async (test) => {
    const world = await World.create(test)
    const ada = await world.person('ada')
    const signedIn = world.browser()
    await signedIn.signIn(ada)
    const browsers = Array.from({ length: 8 }, () => world.browser())
    for (const browser of browsers) await browser.open('/login')
    const other = new DatabaseSync(world.accountsPath)
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
      assert.deepEqual(
        [(await signedIn.open('/')).status, (await signedIn.open('/account')).status],
        [200, 200],
      )
      served += 2
      await nextTurn()
    }
    await Promise.all(logins)

    assert.deepEqual(
      answered,
      Array.from({ length: 8 }, () => 503),
    )
    // In a second of waiting; what stands still serves two.
    assert.ok(served >= 10, `${served} pages`)
  })
})

describe('transactions', () => {
  it('HOLD-53: are isolated and run one after the other', async (test) => {
    const { database } = await open(test)
    const first = database.transaction().execute(async (transaction) => {
      await fail(transaction, 'one')
      await nextTurn()
      await fail(transaction, 'two')
    })
    const second = database.transaction().execute((transaction) => fail(transaction, 'three'))
    const seen: (readonly string[])[] = []
    for (let read = 0; read < 10; read++) seen.push(await subjects(database))
    await Promise.all([first, second])

    const halves = seen.filter((names) => names.includes('one') && !names.includes('two'))
    assert.deepEqual(halves, [])
    assert.deepEqual(await subjects(database), ['one', 'two', 'three'])
  })

  it('HOLD-53: leave nothing behind when they fail, and let the next one begin', async (test) => {
    const { database } = await open(test)
    const failing = database.transaction().execute(async (transaction) => {
      await fail(transaction, 'undone')
      throw new Error('in the middle')
    })

    await assert.rejects(failing, /in the middle/)
    await fail(database, 'next')

    assert.deepEqual(await subjects(database), ['next'])
  })

  it('take the write lock when they begin, so nothing is written between a read and a write', async (test) => {
    const { database, other } = await open(test)
    other.exec('PRAGMA busy_timeout = 0')

    await database.transaction().execute(async (transaction) => {
      assert.deepEqual(await subjects(transaction), [])
      await pause(5)
      assert.throws(() => other.exec("INSERT INTO attempt (subject, at) VALUES ('theirs', 1)"), /locked/)
      await fail(transaction, 'ours')
    })

    assert.deepEqual(await subjects(database), ['ours'])
  })

  it('a stream of rows is read at once', async (test) => {
    const { database } = await open(test)
    for (const subject of ['a', 'b']) await fail(database, subject)
    const rows: string[] = []

    for await (const { subject } of database.selectFrom('attempt').select('subject').stream())
      rows.push(subject)

    assert.deepEqual(rows, ['a', 'b'])
  })
})

describe('prepared statements', () => {
  it('see a schema that another process has changed since', async (test) => {
    const { database, other } = await open(test)
    const all = (): Promise<{ rows: object[] }> => sql<object>`SELECT * FROM attempt`.execute(database)
    await fail(database, 'a')
    await all()

    other.exec('ALTER TABLE attempt ADD COLUMN added INTEGER')

    assert.deepEqual(
      (await all()).rows.map((row) => Object.hasOwn(row, 'added')),
      [true],
    )
  })

  it('may be more than are kept', async (test) => {
    const { database } = await open(test)

    for (let round = 0; round < 2; round++) {
      for (let number = 0; number < 150; number++) {
        const { rows } = await sql<{ n: number }>`SELECT ${sql.lit(number)} AS n`.execute(database)

        assert.equal(rows[0]?.n, number)
      }
    }
  })
})

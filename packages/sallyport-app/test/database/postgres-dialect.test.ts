import assert from 'node:assert/strict'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { Secret } from 'sallyport'
import { type Database, UnusableDatabaseError } from 'sallyport-app/database'
import { openPostgres } from 'sallyport-app/database/postgres'
import { Chance, onThisMachine, PostgresServer, withoutPostgres } from 'sallyport-app/testing'
import { MIGRATIONS, type Notes, subjects, write } from '../notes.ts'

describe('PostgreSQL', { skip: withoutPostgres }, () => {
  let server: PostgresServer
  let databases = 0
  before(async () => {
    server = await PostgresServer.start()
  })
  after(() => server.stop())

  async function made(): Promise<string> {
    databases += 1
    await server.run(`CREATE DATABASE d${databases}`)
    return server.url(`d${databases}`)
  }

  async function open(
    test: TestContext,
    url: string,
    timeoutMilliseconds = 10_000,
  ): Promise<Database<Notes>> {
    const database = await openPostgres<Notes>(new Secret(url), {
      migrations: MIGRATIONS,
      timeoutMilliseconds,
    })
    test.after(() => database.destroy())
    return database
  }

  /** A database of two processes. */
  async function two(
    test: TestContext,
    timeoutMilliseconds?: number,
  ): Promise<readonly [Database<Notes>, Database<Notes>]> {
    const url = await made()
    return [await open(test, url, timeoutMilliseconds), await open(test, url, timeoutMilliseconds)]
  }

  async function change(url: string, statements: string): Promise<void> {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(statements).finally(() => client.end())
  }

  it('compiles no statement, which would take longer than all of them [RA-3202]', async (test) => {
    const database = await open(test, await made())
    const read = (one: Kysely<Notes>): Promise<unknown> =>
      sql`SELECT current_setting('jit') AS jit`.execute(one).then(({ rows: found }) => found)

    assert.deepEqual(await read(database), [{ jit: 'off' }])
    assert.deepEqual(await database.transaction().execute(read), [{ jit: 'off' }])
  })

  it('lets one process write at a time: nothing is written between a read and a write, and others read [RA-3202 HOLD-53]', async (test) => {
    const [one, other] = await two(test)
    const writes: Promise<unknown>[] = []

    await one.transaction().execute(async (transaction) => {
      assert.deepEqual(await subjects(transaction), [])
      writes.push(write(other, 'statement'))
      writes.push(other.transaction().execute((late) => write(late, 'transaction')))
      for (let turn = 0; turn < 20; turn += 1) assert.deepEqual(await subjects(other), [])
      assert.deepEqual(await subjects(transaction), [])
      await write(transaction, 'first')
    })
    await Promise.all(writes)

    assert.deepEqual((await subjects(one)).toSorted(), ['first', 'statement', 'transaction'])
  })

  it('keeps what was confirmed of transactions that come at once from two processes, and nothing else [RA-3202 HOLD-53]', async (test) => {
    const both = await two(test)
    const chance = new Chance(7)
    const kept: string[] = []
    const attempt = async (subject: string, database: Database<Notes>): Promise<void> => {
      const isKept = chance.between(1, 10) <= 6
      const writing = database.transaction().execute(async (transaction) => {
        const count = (await subjects(transaction)).length
        await write(transaction, subject)
        if (chance.between(1, 10) <= 3) await nextTurn()
        assert.equal((await subjects(transaction)).length, count + 1)
        if (!isKept) throw new Error('undone')
      })
      if (isKept) await writing.then(() => kept.push(subject))
      else await assert.rejects(writing, /undone/)
    }
    for (let round = 0; round < 10; round += 1)
      await Promise.all(
        both.flatMap((each, side) => [0, 1, 2].map((turn) => attempt(`${round}.${side}.${turn}`, each))),
      )

    assert.deepEqual((await subjects(both[0])).toSorted(), kept.toSorted())
    assert.ok(kept.length > 15 && kept.length < 55)
  })

  it('fails with a 503 after too long a wait, and writes nothing then; what is gone is a 409 [RA-3202 HOLD-53]', async (test) => {
    const [one, other] = await two(test, onThisMachine(1000))
    const [held, begun] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const holding = one.transaction().execute(async () => {
      begun.resolve()
      await held.promise
    })
    await begun.promise

    await assert.rejects(write(other, 'a'), { status: 503 })
    await assert.rejects(
      other.transaction().execute((transaction) => write(transaction, 'b')),
      { status: 503 },
    )
    held.resolve()
    await holding

    await write(other, 'c')
    assert.deepEqual(await subjects(one), ['c'])
    const orphan = { subject: 'nobody', text: 'x' }
    await assert.rejects(one.insertInto('note_line').values(orphan).execute(), {
      status: 409,
      code: 'ERR_APP_GONE',
    })
  })

  it('refuses the commit after a statement that failed, as nothing was written [RA-3202]', async (test) => {
    const [one] = await two(test)

    await assert.rejects(
      one.transaction().execute(async (transaction) => {
        await write(transaction, 'a')
        await assert.rejects(write(transaction, 'a'), /duplicate key/)
      }),
      /has been rolled back/,
    )

    assert.deepEqual(await subjects(one), [])
  })

  it('gives numbers and texts as SQLite does, and finds nothing by a text that it cannot hold [RA-3202]', async (test) => {
    const [one] = await two(test)
    await write(one, 'a')
    const at = 4_102_444_800

    const changed = await one
      .updateTable('note')
      .set({ at, count: 3 })
      .where('subject', '=', 'a')
      .executeTakeFirst()
    const { rows: found } =
      await sql`SELECT at, sum(count) OVER () AS sum, count(*) OVER () AS rows, count > 2 AS "isMany",
      'Z' < subject AS "isByByte" FROM note`.execute(one)

    assert.equal(changed.numUpdatedRows, 1n)
    assert.deepEqual(found, [{ at, sum: 3, rows: 1, isMany: 1, isByByte: 1 }])
    assert.deepEqual(await one.selectFrom('note').select('at').where('subject', '=', 'a\0').execute(), [])
    for (const wrong of [Number.NaN, 1.5, 2 ** 60])
      await assert.rejects(one.updateTable('note').set({ at: wrong }).execute(), TypeError)
  })

  it('is migrated once by several processes that start at once [RA-3202 HOLD-50]', async (test) => {
    const url = await made()

    const [one] = await Promise.all([0, 1, 2, 3].map(() => open(test, url)))

    const { rows: found } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(
      one ?? assert.fail(),
    )
    assert.equal(found.length, MIGRATIONS.length)
  })

  it('is refused when a newer version has made it, or a table or trigger is missing, and names it [RA-3202]', async (test) => {
    for (const [statement, fault] of [
      ['DROP TABLE note_line', 'has no note_line'],
      ['DROP TRIGGER note_is_kept ON note', 'has no note_is_kept'],
      ["INSERT INTO kysely_migration VALUES ('999_later', '')", 'was made by another version'],
    ] as const) {
      const url = await made()
      await open(test, url)
      await change(url, statement)

      await assert.rejects(
        open(test, url),
        (error) => error instanceof UnusableDatabaseError && error.message.startsWith(fault),
      )
    }
  })

  it('is a 503 while its server is away, and goes on with the next statement when it is back [RA-3202]', async (test) => {
    const [one] = await two(test, 2000)
    await write(one, 'before')
    const during = one.transaction().execute(async (transaction) => {
      await write(transaction, 'during')
      await server.stop('SIGQUIT')
      await write(transaction, 'during, again')
    })

    await assert.rejects(during, { status: 503 })
    await assert.rejects(write(one, 'away'), { status: 503 })
    await assert.rejects(subjects(one), { status: 503 })
    await server.start()

    await write(one, 'after')
    assert.deepEqual(await subjects(one), ['before', 'after'])
  })
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { openDatabase, UnusableDatabaseError } from 'sallyport-app/database'
import { MIGRATIONS, type Notes, subjects, write } from '../notes.ts'
import { temporary } from '../temporary.ts'

/** A database that was made and closed. */
async function made(test: TestContext): Promise<string> {
  const path = join(temporary(test), 'notes.sqlite')
  await (await openDatabase<Notes>(path, { migrations: MIGRATIONS })).destroy()
  return path
}

function change(path: string, statements: string): void {
  const other = new DatabaseSync(path)
  other.exec(statements)
  other.close()
}

describe('openDatabase()', () => {
  it('writes through to the disk, keeps what was written, and checks references', async (test) => {
    const path = await made(test)
    const first = await openDatabase<Notes>(path, { migrations: MIGRATIONS })
    await write(first, 'tea')
    await first.destroy()
    const database = await openDatabase<Notes>(path, { migrations: MIGRATIONS })
    test.after(() => database.destroy())

    const mode = await sql<{ journal_mode: string }>`PRAGMA journal_mode`.execute(database)
    const synchronous = await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(database)

    assert.deepEqual([mode.rows[0]?.journal_mode, synchronous.rows[0]?.synchronous], ['wal', 2])
    assert.deepEqual(await subjects(database), ['tea'])
    const orphan = { subject: 'nobody', text: 'x' }
    await assert.rejects(database.insertInto('note_line').values(orphan).execute(), {
      status: 409,
      code: 'ERR_APP_GONE',
    })
  })

  it('refuses a value that the driver would silently store as something else', async (test) => {
    const database = await openDatabase<Notes>(':memory:', { migrations: MIGRATIONS })
    test.after(() => database.destroy())

    for (const at of [Number.NaN, 1.5, 2 ** 60])
      await assert.rejects(database.insertInto('note').values({ subject: 'tea', at }).execute(), TypeError)
  })

  it('refuses a file that is not a database', async (test) => {
    const path = join(temporary(test), 'notes.sqlite')
    writeFileSync(path, 'not a database, but long enough to be taken for one'.repeat(100))

    await assert.rejects(openDatabase<Notes>(path, { migrations: MIGRATIONS }))
  })
})

describe('migrations', () => {
  it('run once when several processes start at once, and on a clock that was set back between releases [HOLD-50]', async (test) => {
    const path = join(temporary(test), 'notes.sqlite')
    const open = () => openDatabase<Notes>(path, { migrations: MIGRATIONS })
    const countIn = async (database: Awaited<ReturnType<typeof open>>): Promise<number> =>
      (await sql`SELECT name FROM kysely_migration`.execute(database)).rows.length
    const [first, ...others] = await Promise.all([open(), open(), open(), open()])
    const count = await countIn(first)
    for (const database of [first, ...others]) await database.destroy()
    // The first one ran years ahead of those after it.
    change(path, "UPDATE kysely_migration SET timestamp = '2090-01-01T00:00:00.000Z' WHERE name = 'notes'")

    const again = await open()

    assert.equal(await countIn(again), count)
    await again.destroy()
  })

  it('may change later what earlier ones made: each runs once, and keeps the rows [RA-3202]', async (test) => {
    const path = join(temporary(test), 'notes.sqlite')
    const first = {
      name: 'a',
      statements: ['CREATE TABLE tea (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT'],
    }
    const column = ["ALTER TABLE tea ADD COLUMN color TEXT NOT NULL DEFAULT 'red'"]
    // SQLite changes the type of a column by a new table in place of the old one.
    const anew = [
      'CREATE TABLE tea_anew (id TEXT PRIMARY KEY, text TEXT NOT NULL, color TEXT NOT NULL) STRICT',
      'INSERT INTO tea_anew SELECT id, text, color FROM tea',
      'DROP TABLE tea',
      'ALTER TABLE tea_anew RENAME TO tea',
    ]
    const more = [column, anew].map((statements, index) => ({ name: `a.${index}`, statements }))
    const [before, after] = [[first], [first, ...more]].map(
      (migrations) => () => openDatabase(path, { migrations }),
    )
    assert.ok(before !== undefined && after !== undefined)
    await (await before()).destroy()
    change(path, "INSERT INTO tea VALUES (7, 'green')")

    await (await after()).destroy()
    const again = await after()

    const { rows } = await sql`SELECT * FROM tea`.execute(again)
    assert.deepEqual(rows, [{ id: '7', text: 'green', color: 'red' }])
    await again.destroy()
    await assert.rejects(before(), /another version of this application, with "a\.0"/)
    change(path, 'DROP TABLE tea')
    await assert.rejects(after(), /has no tea:/)
  })

  it('refuse a database of a newer version', async (test) => {
    const path = await made(test)
    change(path, "INSERT INTO kysely_migration VALUES ('999_later', '2090-01-01T00:00:00.000Z')")

    await assert.rejects(openDatabase<Notes>(path, { migrations: MIGRATIONS }), UnusableDatabaseError)
  })

  it('refuse a database with a missing table or trigger, and name it', async (test) => {
    for (const [type, name] of [
      ['TABLE', 'note_line'],
      ['TRIGGER', 'note_is_kept'],
    ] as const) {
      const path = await made(test)
      change(path, `PRAGMA foreign_keys = OFF; DROP ${type} ${name}`)

      await assert.rejects(openDatabase<Notes>(path, { migrations: MIGRATIONS }), {
        name: 'UnusableDatabaseError',
        message: `has no ${name}: restore it from a copy, or move it away`,
      })
    }
  })

  it('refuse a database of another application, and leave it as it is', async (test) => {
    const path = join(temporary(test), 'notes.sqlite')
    change(path, 'CREATE TABLE note (number); INSERT INTO note VALUES (7); CREATE TABLE other (number)')

    await assert.rejects(openDatabase<Notes>(path, { migrations: MIGRATIONS }), {
      name: 'UnusableDatabaseError',
      message: 'belongs to another application, which has its own note: use another one for this application',
    })
  })
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { UnusableDatabaseError } from '../../core/database/migrations.ts'
import { openDatabase } from '../../core/database/open.ts'
import type { Part } from '../../core/part.ts'
import { PARTS } from '../../parts.ts'
import { temporary } from '../support.ts'

const EVENT = { at: 1, account_id: null, kind: 'x', client_address: '', challenge_id: null }

/** A database that was made and closed. */
async function made(test: TestContext): Promise<string> {
  const path = join(temporary(test), 'accounts.sqlite')
  await (await openDatabase(path, { parts: PARTS })).destroy()
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
    const first = await openDatabase(path, { parts: PARTS })
    await first.insertInto('event').values(EVENT).execute()
    await first.destroy()
    const database = await openDatabase(path, { parts: PARTS })
    test.after(() => database.destroy())

    const mode = await sql<{ journal_mode: string }>`PRAGMA journal_mode`.execute(database)
    const synchronous = await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(database)

    assert.deepEqual([mode.rows[0]?.journal_mode, synchronous.rows[0]?.synchronous], ['wal', 2])
    assert.equal((await database.selectFrom('event').select('id').execute()).length, 1)
    const orphan = { account_id: 'nobody', permission: 'admin.access' }
    await assert.rejects(database.insertInto('account_permission').values(orphan).execute(), {
      status: 409,
      code: 'ERR_APP_GONE',
    })
  })

  it('refuses a value that the driver would silently store as something else', async (test) => {
    const database = await openDatabase(':memory:', { parts: PARTS })
    test.after(() => database.destroy())

    for (const at of [Number.NaN, 1.5, 2 ** 60])
      await assert.rejects(
        database
          .insertInto('event')
          .values({ ...EVENT, at })
          .execute(),
        TypeError,
      )
  })

  it('refuses a file that is not a database', async (test) => {
    const path = join(temporary(test), 'accounts.sqlite')
    writeFileSync(path, 'not a database, but long enough to be taken for one'.repeat(100))

    await assert.rejects(openDatabase(path, { parts: PARTS }))
  })
})

describe('migrations', () => {
  it('run once when several processes start at once, and on a clock that was set back between releases [HOLD-50]', async (test) => {
    const path = join(temporary(test), 'accounts.sqlite')
    const open = () => openDatabase(path, { parts: PARTS })
    const countIn = async (database: Awaited<ReturnType<typeof open>>): Promise<number> =>
      (await sql`SELECT name FROM kysely_migration`.execute(database)).rows.length
    const [first, ...others] = await Promise.all([open(), open(), open(), open()])
    const count = await countIn(first)
    for (const database of [first, ...others]) await database.destroy()
    // The first one ran years ahead of those after it.
    change(path, "UPDATE kysely_migration SET timestamp = '2090-01-01T00:00:00.000Z' WHERE name = 'core'")

    const again = await open()

    assert.equal(await countIn(again), count)
    await again.destroy()
  })

  it('of a part may change its tables later: each runs once, after the earlier ones, and keeps the rows [RA-3202]', async (test) => {
    const path = join(temporary(test), 'accounts.sqlite')
    const first: Part = {
      name: 'notes',
      migration: ['CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT'],
    }
    const column = ["ALTER TABLE note ADD COLUMN color TEXT NOT NULL DEFAULT 'red'"]
    // SQLite changes the type of a column by a new table in place of the old one.
    const anew = [
      'CREATE TABLE note_anew (id TEXT PRIMARY KEY, text TEXT NOT NULL, color TEXT NOT NULL) STRICT',
      'INSERT INTO note_anew SELECT id, text, color FROM note',
      'DROP TABLE note',
      'ALTER TABLE note_anew RENAME TO note',
    ]
    // More than nine.
    const more = Array.from({ length: 9 }, (_, index) => [`UPDATE note SET text = text || '${index}'`])
    const releases = [first, { ...first, laterMigrations: [column, anew, ...more] }]
    const [before, after] = releases.map((part) => () => openDatabase(path, { parts: [...PARTS, part] }))
    assert.ok(before !== undefined && after !== undefined)
    await (await before()).destroy()
    change(path, "INSERT INTO note VALUES (7, 'tea ')")

    await (await after()).destroy()
    const again = await after()

    const { rows } = await sql`SELECT * FROM note`.execute(again)
    assert.deepEqual(rows, [{ id: '7', text: 'tea 012345678', color: 'red' }])
    await again.destroy()
    await assert.rejects(before(), /another version of this application, with "part_notes\.02"/)
    change(path, 'DROP TABLE note')
    await assert.rejects(after(), /has no note:/)
  })

  it('refuse a database of a newer version', async (test) => {
    const path = await made(test)
    change(path, "INSERT INTO kysely_migration VALUES ('999_later', '2090-01-01T00:00:00.000Z')")

    await assert.rejects(openDatabase(path, { parts: PARTS }), UnusableDatabaseError)
  })

  it('refuse a database with a missing table or trigger, and name it', async (test) => {
    for (const [type, name] of [
      ['TABLE', 'used_step'],
      ['TABLE', 'known_client'],
      ['TRIGGER', 'event_is_kept'],
    ] as const) {
      const path = await made(test)
      change(path, `PRAGMA foreign_keys = OFF; DROP ${type} ${name}`)

      await assert.rejects(openDatabase(path, { parts: PARTS }), {
        name: 'UnusableDatabaseError',
        message: `has no ${name}: restore it from a copy, or move it away`,
      })
    }
  })
})

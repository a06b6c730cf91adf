import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { IncompleteDatabaseError, UnknownMigrationError } from '../../core/database/migrations.ts'
import { openDatabase } from '../../core/database/open.ts'
import { PARTS } from '../../parts.ts'
import { temporary } from '../support.ts'

async function made(test: TestContext): Promise<string> {
  const path = join(temporary(test), 'accounts.sqlite')
  const database = await openDatabase(path, { parts: PARTS })
  await database.destroy()
  return path
}

describe('migrations', () => {
  it('run on a clock that was set back between releases [HOLD-50]', async (test) => {
    const path = await made(test)
    const before = new DatabaseSync(path)
    // The first one ran a year ahead of those after it.
    before.exec("UPDATE kysely_migration SET timestamp = '2090-01-01T00:00:00.000Z' WHERE name = 'core'")
    const { count } = before.prepare('SELECT count(*) AS count FROM kysely_migration').get() ?? {}
    before.close()

    const database = await openDatabase(path, { parts: PARTS })

    const { rows } = await sql`SELECT name FROM kysely_migration`.execute(database)
    assert.equal(rows.length, count)
    await database.destroy()
  })

  it('refuse a database of a newer version, and leave it unchanged', async (test) => {
    const path = await made(test)
    const newer = new DatabaseSync(path)
    newer.exec("INSERT INTO kysely_migration VALUES ('999_later', '2090-01-01T00:00:00.000Z')")
    newer.close()

    await assert.rejects(openDatabase(path, { parts: PARTS }), UnknownMigrationError)
  })

  it('refuse a database with a missing table or trigger, and name it', async (test) => {
    const fresh = new DatabaseSync(await made(test))
    const all = fresh.prepare("SELECT type, name FROM sqlite_schema WHERE type IN ('table', 'trigger')").all()
    fresh.close()
    const parts = all.filter(({ name }) => !/^(sqlite|kysely)_/.test(String(name)))
    assert.ok(parts.length >= 10)

    for (const { type, name } of parts) {
      const broken = await made(test)
      const other = new DatabaseSync(broken)
      other.exec(`PRAGMA foreign_keys = OFF; DROP ${String(type)} ${String(name)}`)
      other.close()

      await assert.rejects(openDatabase(broken, { parts: PARTS }), (error) => {
        assert.ok(error instanceof IncompleteDatabaseError)
        assert.ok(error.missing.includes(String(name)))
        return true
      })
    }
  })

  it('run once when several processes start at the same time', async (test) => {
    const path = join(temporary(test), 'accounts.sqlite')

    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(path, { parts: PARTS })))

    for (const database of databases) await database.destroy()
  })
})

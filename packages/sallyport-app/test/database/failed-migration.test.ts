import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import type { NamedMigration } from 'sallyport-app/database'
import { type Making, onEachEngine } from '../engines.ts'

const FIRST = { name: 'tea', statements: ['CREATE TABLE tea (text TEXT NOT NULL UNIQUE) STRICT'] }

onEachEngine('a migration with a wrong statement', (make: Making) => {
  it('is named with what is wrong, and leaves the database as it was, whose operator is told to keep it [RA-3202]', async (test) => {
    const migrations: NamedMigration[] = [FIRST]
    const open = await make(test, migrations)
    const before = await open()
    await sql`INSERT INTO tea VALUES ('green')`.execute(before)
    await before.destroy()

    for (const [statement, reason] of [
      ['ALTER TABLE taa ADD COLUMN color TEXT', 'taa'],
      ['ALTER TABLE tea ADD COLUM color TEXT', 'syntax|datatype'],
      ["INSERT INTO tea VALUES ('green')", 'unique|UNIQUE'],
    ] as const) {
      migrations[1] = { name: 'tea.later', statements: ["INSERT INTO tea VALUES ('black')", statement] }
      await assert.rejects(open(), {
        name: 'UnusableDatabaseError',
        message: new RegExp(
          `^is unchanged, because the migration "tea\\.later" failed \\(.*(?:${reason}).*\\): correct that migration$`,
        ),
      })
    }

    migrations.pop()
    const again = await open()
    assert.deepEqual((await sql`SELECT text FROM tea`.execute(again)).rows, [{ text: 'green' }])
    await again.destroy()
  })
})

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../core/database/open.ts'
import { PARTS } from '../../parts.ts'
import { temporary } from '../support.ts'

describe('openDatabase()', () => {
  it('keeps what was written, and does not migrate twice', async (test) => {
    const path = join(temporary(test), 'accounts.sqlite')
    const first = await openDatabase(path, { parts: PARTS })
    await first
      .insertInto('event')
      .values({ at: 1, account_id: null, kind: 'x', client_address: '', challenge_id: null })
      .execute()
    await first.destroy()

    const second = await openDatabase(path, { parts: PARTS })

    assert.equal((await second.selectFrom('event').select('id').execute()).length, 1)
    await second.destroy()
  })

  it('writes through to the disk and checks references', async (test) => {
    const database = await openDatabase(join(temporary(test), 'accounts.sqlite'), { parts: PARTS })
    test.after(() => database.destroy())

    const mode = await sql<{ journal_mode: string }>`PRAGMA journal_mode`.execute(database)
    const synchronous = await sql<{ synchronous: number }>`PRAGMA synchronous`.execute(database)

    assert.equal(mode.rows[0]?.journal_mode, 'wal')
    assert.equal(synchronous.rows[0]?.synchronous, 2)
    const orphan = { account_id: 'nobody', permission: 'admin.access' }
    await assert.rejects(database.insertInto('account_permission').values(orphan).execute(), {
      status: 409,
      code: 'ERR_STARTER_GONE',
    })
  })

  it('refuses a value that the driver would silently store as something else', async (test) => {
    const database = await openDatabase(':memory:', { parts: PARTS })
    test.after(() => database.destroy())

    for (const at of [Number.NaN, 1.5, 2 ** 60]) {
      const row = { at, account_id: null, kind: 'x', client_address: '', challenge_id: null }
      await assert.rejects(database.insertInto('event').values(row).execute(), TypeError)
    }
  })

  it('refuses a file that is not a database', async (test) => {
    const path = join(temporary(test), 'accounts.sqlite')
    writeFileSync(path, 'not a database, but long enough to be taken for one'.repeat(100))

    await assert.rejects(openDatabase(path, { parts: PARTS }))
  })
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, it, type TestContext } from 'node:test'
import { sql } from 'kysely'
import { IncompleteDatabaseError, NewerDatabaseError } from '../../database/migrations.ts'
import { openDatabase } from '../../database/open.ts'
import { temporary } from '../support.ts'

async function made(test: TestContext): Promise<string> {
  const path = join(temporary(test), 'accounts.sqlite')
  const database = await openDatabase(path)
  await database.destroy()
  return path
}

describe('migrations', () => {
  it('run on a clock that was set back between releases [HOLD-50]', async (test) => {
    const path = await made(test)
    const before = new DatabaseSync(path)
    // The first one ran a year ahead of those after it.
    before.exec(
      "UPDATE kysely_migration SET timestamp = '2090-01-01T00:00:00.000Z' WHERE name = '001_initial'",
    )
    const { count } = before.prepare('SELECT count(*) AS count FROM kysely_migration').get() ?? {}
    before.close()

    const database = await openDatabase(path)

    const { rows } = await sql`SELECT name FROM kysely_migration`.execute(database)
    assert.equal(rows.length, count)
    await database.destroy()
  })

  it('refuse a database of a newer version, and leave it unchanged', async (test) => {
    const path = await made(test)
    const newer = new DatabaseSync(path)
    newer.exec("INSERT INTO kysely_migration VALUES ('999_later', '2090-01-01T00:00:00.000Z')")
    newer.close()

    await assert.rejects(openDatabase(path), NewerDatabaseError)
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

      await assert.rejects(openDatabase(broken), (error) => {
        assert.ok(error instanceof IncompleteDatabaseError)
        assert.ok(error.missing.includes(String(name)))
        return true
      })
    }
  })

  it('run once when several processes start at the same time', async (test) => {
    const path = join(temporary(test), 'accounts.sqlite')

    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(path)))

    for (const database of databases) await database.destroy()
  })

  it('keep what an older version wrote', async (test) => {
    const path = await made(test)
    const old = new DatabaseSync(path)
    old.exec(`
      DELETE FROM kysely_migration WHERE name = '003_held_back';
      DROP TABLE used_step; DROP TABLE attempt;
      DROP TRIGGER event_is_never_replaced; DROP TRIGGER event_is_kept; DROP INDEX event_kind; DROP INDEX event_account_kind;
      CREATE INDEX event_account ON event (account_id, id);
      CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
        BEGIN SELECT RAISE(ABORT, 'The audit trail is append-only'); END;
      CREATE TABLE attempt (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
      CREATE INDEX attempt_subject ON attempt (subject, at); CREATE INDEX attempt_age ON attempt (at);
      INSERT INTO attempt (subject, at) VALUES ('factor:u1', 5);
      INSERT INTO account (id, email, email_key, name, password_hash, state, created_at)
        VALUES ('u1', 'a@b', 'a@b', 'Ada', NULL, 'active', 1);
      INSERT INTO factor (id, account_id, kind, label, state, secret, last_step, created_at, enabled_at, used_at)
        VALUES ('f1', 'u1', 'totp', 'App', 'enabled', 'v1.x.y', 77, 1, 1, 1);
      INSERT INTO event (at, kind, client_address) VALUES (1, 'logged-in', '')`)
    old.close()

    const database = await openDatabase(path)
    test.after(() => database.destroy())

    const [attempt] = await database.selectFrom('attempt').selectAll().execute()
    const [used] = await database.selectFrom('used_step').selectAll().execute()
    assert.deepEqual([attempt?.id, attempt?.subject, attempt?.at], [1, 'factor:u1', 5])
    assert.deepEqual([used?.factor_id, used?.step], ['f1', 77])
    assert.equal((await database.selectFrom('event').select('id').execute()).length, 1)
  })

  it('keep authenticators with their used steps, and those that count with their counter [FACTOR-08]', async (test) => {
    const path = await made(test)
    const old = new DatabaseSync(path)
    old.exec(`
      DELETE FROM kysely_migration WHERE name = '021_counters';
      DROP TABLE used_step; DROP TABLE factor;
      CREATE TABLE factor (
        id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
        kind TEXT NOT NULL CHECK (kind IN ('totp')), label TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('unverified', 'enabled')), secret TEXT NOT NULL, last_step INTEGER,
        created_at INTEGER NOT NULL, enabled_at INTEGER, used_at INTEGER) STRICT;
      CREATE INDEX factor_account ON factor (account_id);
      CREATE TABLE used_step (
        id INTEGER PRIMARY KEY AUTOINCREMENT, factor_id TEXT NOT NULL REFERENCES factor (id) ON DELETE CASCADE,
        step INTEGER NOT NULL, UNIQUE (factor_id, step)) STRICT;
      CREATE TABLE hotp_factor (
        id TEXT PRIMARY KEY, account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE, label TEXT NOT NULL,
        secret TEXT NOT NULL, counter INTEGER NOT NULL, created_at INTEGER NOT NULL, used_at INTEGER) STRICT;
      INSERT INTO account (id, email, email_key, name, password_hash, state, created_at)
        VALUES ('u1', 'a@b', 'a@b', 'Ada', NULL, 'active', 1);
      INSERT INTO factor VALUES ('f1', 'u1', 'totp', 'App', 'enabled', 'v1.x.y', 77, 1, 2, 3);
      INSERT INTO used_step (id, factor_id, step) VALUES (5, 'f1', 76), (6, 'f1', 77);
      INSERT INTO hotp_factor VALUES ('h1', 'u1', 'Token', 'v1.x.z', 4, 1, 9)`)
    old.close()

    const database = await openDatabase(path)
    test.after(() => database.destroy())

    const factors = await database
      .selectFrom('factor')
      .select(['id', 'kind', 'state', 'secret', 'last_step', 'last_counter', 'enabled_at', 'used_at'])
      .orderBy('id')
      .execute()
    assert.deepEqual(
      factors.map((factor) => Object.values(factor)),
      [
        ['f1', 'totp', 'enabled', 'v1.x.y', 77, null, 2, 3],
        ['h1', 'hotp', 'enabled', 'v1.x.z', null, 3, 1, 9],
      ],
    )
    const steps = await database.selectFrom('used_step').selectAll().orderBy('id').execute()
    assert.deepEqual(
      steps.map(({ id, factor_id: factor, step }) => [id, factor, step]),
      [
        [5, 'f1', 76],
        [6, 'f1', 77],
      ],
    )
    const { rows } = await sql`PRAGMA foreign_key_check`.execute(database)
    assert.deepEqual(rows, [])
    await database.deleteFrom('factor').where('id', '=', 'f1').execute()
    assert.deepEqual(await database.selectFrom('used_step').selectAll().execute(), [])
  })
})

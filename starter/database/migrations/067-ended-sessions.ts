import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const ENDED_SESSIONS: readonly string[] = [
  `CREATE TABLE ended_session (
    handle TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    ended_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX ended_session_account ON ended_session (account_id)',
  'CREATE INDEX ended_session_age ON ended_session (ended_at)',
]

/** Sessions that another one has ended: a change of credentials that is under way in one of them is not made. */
export const endedSessions: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of ENDED_SESSIONS) await sql.raw(statement).execute(database)
  },
}

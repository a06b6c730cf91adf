import type { Generated } from 'kysely'
import type { Statement } from '../database/index.ts'

/** One row for each subject of a limit with failures that still count. */
export interface AttemptTable {
  /** What the limit protects: `factor:<account>`, `password:<digest of the address>`, `client:<network>`. */
  subject: string
  /** When they happened, as a JSON list in ascending order; after a lock, those since then. */
  times: string
  /** Number of locks before them, until a day has passed without a failure. */
  locks: Generated<number>
  /** The last of them. */
  at: number
}

/** What the schema of an application has for limits. */
export interface AttemptTables {
  /** Failures. */
  attempt: AttemptTable
}

/** What makes the table of failures: a migration of the application has these statements. They are never edited. */
export const attemptTables: readonly Statement[] = [
  `CREATE TABLE attempt (
    subject TEXT PRIMARY KEY,
    times TEXT NOT NULL,
    locks INTEGER NOT NULL DEFAULT 0,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX attempt_age ON attempt (at)',
]

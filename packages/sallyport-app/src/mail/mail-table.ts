import type { Generated } from 'kysely'
import type { Statement } from '../database/index.ts'

/** One row for each mail that waits to be sent, or was given up. Times are Unix timestamps in seconds. */
export interface MailTable {
  /** Orders mails by when they were written. */
  id: string
  /** Kind of the mail, such as `confirm`. */
  kind: string
  /** Recipient, subject and text, sealed by the `KeyRing`. */
  sealed: string
  /** When it was written, or put back into the queue. */
  made_at: number
  /** When its link or code ends: it is not sent after that. Null for one without. */
  ends_at: number | null
  /** When it is tried next. While a process sends it: when another one may. */
  due_at: number
  /** How often a process has taken it. */
  attempts: number
  /** Why it could not be sent the last time: a reply code of SMTP, or the code of an error. Never what a server said, which may name people. */
  failure: Generated<string | null>
  /** When it was given up; null while it waits. */
  given_up_at: Generated<number | null>
}

/** What the schema of an application has for mails. */
export interface MailTables {
  /** The queue. */
  mail: MailTable
}

/** What makes the table of the queue: a migration of the application has these statements. They are never edited. */
export const mailTables: readonly Statement[] = [
  `CREATE TABLE mail (
    id TEXT PRIMARY KEY,
    kind TEXT NOT NULL,
    sealed TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    ends_at INTEGER,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL,
    failure TEXT,
    given_up_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX mail_due ON mail (due_at) WHERE given_up_at IS NULL',
  'CREATE INDEX mail_end ON mail (ends_at)',
]

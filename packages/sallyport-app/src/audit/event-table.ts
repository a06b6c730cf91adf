import type { Generated } from 'kysely'
import type { Statement } from '../database/index.ts'

/** How long the database prevents deleting an entry of the audit trail, in days. */
export const TRAIL_KEPT_DAYS = 90
const TRAIL_KEPT_SECONDS = TRAIL_KEPT_DAYS * 24 * 60 * 60

const APPEND_ONLY = 'The audit trail is append-only'
const KEPT = `${APPEND_ONLY}: an entry is kept for ${TRAIL_KEPT_DAYS} days`

/** One row for each entry of the audit trail. The database refuses to change a row, or to delete one within 90 days. */
export interface EventTable {
  /** Orders the entries. */
  id: Generated<number>
  /** Unix timestamp in seconds. */
  at: number
  /** Null when the account is unknown. Not a foreign key: entries outlive the account. */
  account_id: string | null
  /** What happened, such as `logged-in`. */
  kind: string
  /** Address of the client; empty when it is not known. */
  client_address: string
  /** Browser and system by name; empty where they are not known. */
  device: Generated<string>
  /** Identifier of the pending login that the event belongs to. */
  challenge_id: string | null
  /** Who did it, where that is not the owner of the account: an account reference, or `operator:` and a name. */
  actor: Generated<string | null>
  /** What it was done with: the kind of the factor that was proven, or the name of a permission. */
  detail: Generated<string | null>
  /** Why, in the words of the actor. */
  reason: Generated<string | null>
}

/** What the schema of an application has for the audit trail. */
export interface EventTables {
  /** The trail. */
  event: EventTable
}

/** What makes the table of the trail, and what protects it: a migration of the application has these statements. They are never edited. */
export const eventTables: readonly Statement[] = [
  `CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    account_id TEXT,
    kind TEXT NOT NULL,
    client_address TEXT NOT NULL,
    challenge_id TEXT,
    actor TEXT,
    detail TEXT,
    reason TEXT,
    device TEXT NOT NULL DEFAULT ''
  ) STRICT`,
  // The newest entries of each kind are read, so that many of one kind do not hide others.
  'CREATE INDEX event_account_kind ON event (account_id, kind, id)',
  'CREATE INDEX event_kind ON event (kind, id)',
  'CREATE INDEX event_latest ON event (account_id, id)',
  {
    sqlite: `CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
      BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
    postgres: `CREATE FUNCTION event_stays() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN RAISE EXCEPTION USING MESSAGE = TG_ARGV[0]; END'`,
  },
  {
    // REPLACE deletes rows without firing delete triggers.
    sqlite: `CREATE TRIGGER event_is_never_replaced BEFORE INSERT ON event WHEN EXISTS (SELECT 1 FROM event WHERE id = NEW.id)
      BEGIN SELECT RAISE(ABORT, '${APPEND_ONLY}'); END`,
    // So does TRUNCATE.
    postgres: `CREATE TRIGGER event_is_never_changed BEFORE UPDATE OR TRUNCATE ON event
      EXECUTE FUNCTION event_stays('${APPEND_ONLY}')`,
  },
  {
    sqlite: `CREATE TRIGGER event_is_kept BEFORE DELETE ON event WHEN OLD.at > unixepoch() - ${TRAIL_KEPT_SECONDS}
      BEGIN SELECT RAISE(ABORT, '${KEPT}'); END`,
    postgres: `CREATE TRIGGER event_is_kept BEFORE DELETE ON event FOR EACH ROW
      WHEN (OLD.at > extract(epoch FROM now()) - ${TRAIL_KEPT_SECONDS}) EXECUTE FUNCTION event_stays('${KEPT}')`,
  },
]

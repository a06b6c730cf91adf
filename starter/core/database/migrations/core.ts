import type { Statement } from 'sallyport-app/database'
import { attemptTables } from 'sallyport-app/limits'
import { mailTables } from 'sallyport-app/mail'

/** How long the database prevents deleting an entry of the audit trail, in days. */
export const TRAIL_KEPT_DAYS = 90
const TRAIL_KEPT_SECONDS = TRAIL_KEPT_DAYS * 24 * 60 * 60

const APPEND_ONLY = 'The audit trail is append-only'
const KEPT = `${APPEND_ONLY}: an entry is kept for ${TRAIL_KEPT_DAYS} days`

/** Accounts, factors, sign-in, sign-up, sessions, resets, limits and the audit trail. */
export const core: readonly Statement[] = [
  `CREATE TABLE account (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT,
    state TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
    created_at INTEGER NOT NULL,
    credential_version INTEGER NOT NULL DEFAULT 1,
    language TEXT NOT NULL DEFAULT 'en',
    credential_mark TEXT,
    leaves_at INTEGER
  ) STRICT`,
  `CREATE TABLE account_permission (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    permission TEXT NOT NULL CHECK (permission <> ''),
    granted_at INTEGER NOT NULL DEFAULT 0,
    granted_by TEXT,
    PRIMARY KEY (account_id, permission)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE factor (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('unverified', 'enabled')),
    secret TEXT CHECK (secret IS NOT NULL OR kind <> 'totp'),
    last_step INTEGER CHECK (last_step IS NULL OR secret IS NOT NULL),
    created_at INTEGER NOT NULL,
    enabled_at INTEGER,
    used_at INTEGER
  ) STRICT`,
  'CREATE INDEX factor_account ON factor (account_id)',
  "CREATE INDEX factor_unverified ON factor (created_at) WHERE state = 'unverified'",
  // Each time step whose code was accepted, so that it is not accepted again after the clock was set back.
  `CREATE TABLE used_step (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    factor_id TEXT NOT NULL REFERENCES factor (id) ON DELETE CASCADE,
    step INTEGER NOT NULL,
    UNIQUE (factor_id, step)
  ) STRICT`,
  `CREATE TABLE recovery_code (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    prefix TEXT NOT NULL,
    hash TEXT NOT NULL,
    used_at INTEGER,
    PRIMARY KEY (account_id, prefix)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE recovery_code_set (
    account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    made_at INTEGER NOT NULL,
    kept_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE challenge (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX challenge_age ON challenge (created_at)',
  // They go with their account.
  'CREATE INDEX challenge_account ON challenge (account_id)',
  ...attemptTables,
  `CREATE TABLE confirmation (
    digest TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX confirmation_age ON confirmation (expires_at)',
  'CREATE INDEX confirmation_address ON confirmation (email_key)',
  `CREATE TABLE password_reset (
    digest TEXT PRIMARY KEY,
    account_id TEXT REFERENCES account (id) ON DELETE CASCADE,
    credential_version INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX password_reset_age ON password_reset (expires_at)',
  'CREATE INDEX password_reset_account ON password_reset (account_id)',
  `CREATE TABLE mail_password (
    account_id TEXT PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    set_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX mail_password_age ON mail_password (set_at)',
  ...mailTables,
  `CREATE TABLE known_client (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    network TEXT NOT NULL,
    device TEXT NOT NULL,
    seen_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, network, device)
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX known_client_age ON known_client (seen_at)',
  `CREATE TABLE ended_session (
    handle TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    ended_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX ended_session_account ON ended_session (account_id)',
  'CREATE INDEX ended_session_age ON ended_session (ended_at)',
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

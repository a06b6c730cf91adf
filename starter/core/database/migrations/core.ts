import { eventTables } from 'sallyport-app/audit'
import { codeChallengeTables } from 'sallyport-app/challenges'
import { knownClientTables } from 'sallyport-app/clients'
import type { Statement } from 'sallyport-app/database'
import { attemptTables } from 'sallyport-app/limits'
import { mailTables } from 'sallyport-app/mail'
import { endedSessionTables } from 'sallyport-app/sessions'

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
    mail_password_at INTEGER,
    leaves_at INTEGER
  ) STRICT`,
  `CREATE TABLE account_permission (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    permission TEXT NOT NULL CHECK (permission <> ''),
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
  ...codeChallengeTables('account'),
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
  ...mailTables,
  ...knownClientTables('account'),
  ...endedSessionTables('account'),
  ...eventTables,
]

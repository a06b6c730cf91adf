import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { passkeys } from './migrations/007-passkeys.ts'
import { notices } from './migrations/008-notices.ts'
import { recovery } from './migrations/009-recovery.ts'
import { administration, ADMINISTRATION_PARTS } from './migrations/010-administration.ts'
import { apiTokens } from './migrations/011-api-tokens.ts'
import { activity } from './migrations/012-activity.ts'
import { pages } from './migrations/012-pages.ts'
import { lostFactor } from './migrations/013-lost-factor.ts'
import { accountSearch } from './migrations/020-account-search.ts'
import { counters } from './migrations/021-counters.ts'
import { recoveryCodeSets } from './migrations/022-recovery-code-sets.ts'
import { factorUnlock } from './migrations/030-factor-unlock.ts'
import { mailCodes } from './migrations/031-mail-codes.ts'
import { addressChange } from './migrations/040-address-change.ts'
import { accountDeletion } from './migrations/041-account-deletion.ts'
import { reminders } from './migrations/050-reminders.ts'
import { trustedDevices } from './migrations/060-trusted-devices.ts'
import { trustedDeviceReplays } from './migrations/061-trusted-device-replays.ts'
import { formerNames } from './migrations/062-former-names.ts'
import { trustedDeviceEnds } from './migrations/063-trusted-device-ends.ts'
import { credentialMark } from './migrations/066-credential-mark.ts'
import { endedSessions } from './migrations/067-ended-sessions.ts'
import { granters } from './migrations/068-granters.ts'

/** How long the database prevents deleting an entry of the audit trail, in days. */
export const TRAIL_KEPT_DAYS = 90
const TRAIL_KEPT_SECONDS = TRAIL_KEPT_DAYS * 24 * 60 * 60

/** The database was migrated by a newer version of this application. */
export class NewerDatabaseError extends Error {
  /**
   * @param migration A migration that this version does not know.
   */
  constructor(migration: string) {
    super(`Cannot use the database: a newer version has migrated it to "${migration}"`)
    this.name = 'NewerDatabaseError'
  }
}

/** The database claims to be up to date, but a part of it is missing. */
export class IncompleteDatabaseError extends Error {
  /** Names of the tables and triggers that are missing. */
  readonly missing: readonly string[]

  /**
   * @param missing Names of the tables and triggers that are missing.
   */
  constructor(missing: readonly string[]) {
    super(`Cannot use the database: it has no ${missing.join(', ')}`)
    this.name = 'IncompleteDatabaseError'
    this.missing = missing
  }
}

// The tables and triggers after all migrations. The triggers protect the audit trail from changes.
const PARTS: readonly string[] = [
  'account',
  'account_deletion',
  'account_permission',
  'address_change',
  'address_restore',
  'api_token',
  'attempt',
  'challenge',
  'confirmation',
  'ended_session',
  'event',
  'event_is_kept',
  'event_is_never_changed',
  'event_is_never_replaced',
  'factor',
  'known_client',
  'objection',
  'page',
  'factor_deadline',
  'factor_recovery',
  'factor_unlock',
  'former_name',
  'mail_code',
  'mail_password',
  'password_reset',
  'passkey',
  'recovery_code',
  'recovery_code_set',
  'recovery_link',
  'trusted_device',
  'trusted_device_end',
  'used_passkey_challenge',
  'used_step',
  ...ADMINISTRATION_PARTS,
]

const initial: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of INITIAL) await sql.raw(statement).execute(database)
  },
}

// STRICT: SQLite otherwise stores any type in any column.
const INITIAL: readonly string[] = [
  `CREATE TABLE account (
    id TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    password_hash TEXT,
    state TEXT NOT NULL CHECK (state IN ('active', 'disabled')),
    created_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE TABLE account_permission (
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    permission TEXT NOT NULL CHECK (permission <> ''),
    PRIMARY KEY (account_id, permission)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE factor (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('totp')),
    label TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('unverified', 'enabled')),
    secret TEXT NOT NULL,
    last_step INTEGER,
    created_at INTEGER NOT NULL,
    enabled_at INTEGER,
    used_at INTEGER
  ) STRICT`,
  'CREATE INDEX factor_account ON factor (account_id)',
  `CREATE TABLE challenge (
    id TEXT PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX challenge_age ON challenge (created_at)',
  'CREATE TABLE attempt (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT',
  'CREATE INDEX attempt_subject ON attempt (subject, at)',
  'CREATE INDEX attempt_age ON attempt (at)',
  `CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    account_id TEXT,
    kind TEXT NOT NULL,
    client_address TEXT NOT NULL,
    challenge_id TEXT
  ) STRICT`,
  'CREATE INDEX event_account ON event (account_id, id)',
  `CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'The audit trail is append-only'); END`,
  `CREATE TRIGGER event_is_never_deleted BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'The audit trail is append-only'); END`,
]

// A challenge ends with the login that completes it.
const challengeEnd: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE challenge ADD COLUMN ended_at INTEGER`.execute(database)
  },
}

const HELD_BACK: readonly string[] = [
  // With a reused id, taking back one attempt could delete another.
  'CREATE TABLE attempt_2 (id INTEGER PRIMARY KEY AUTOINCREMENT, subject TEXT NOT NULL, at INTEGER NOT NULL) STRICT',
  'INSERT INTO attempt_2 (id, subject, at) SELECT id, subject, at FROM attempt ORDER BY id',
  'DROP TABLE attempt',
  'ALTER TABLE attempt_2 RENAME TO attempt',
  'CREATE INDEX attempt_subject ON attempt (subject, at)',
  'CREATE INDEX attempt_age ON attempt (at)',
  // Each time step whose code was accepted, so that it is not accepted again after the clock was set back.
  `CREATE TABLE used_step (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    factor_id TEXT NOT NULL REFERENCES factor (id) ON DELETE CASCADE,
    step INTEGER NOT NULL,
    UNIQUE (factor_id, step)
  ) STRICT`,
  'INSERT INTO used_step (factor_id, step) SELECT id, last_step FROM factor WHERE last_step IS NOT NULL',
  // The newest entries of each kind are read, so that many of one kind do not hide others.
  'CREATE INDEX event_account_kind ON event (account_id, kind, id)',
  'CREATE INDEX event_kind ON event (kind, id)',
  'DROP INDEX event_account',
  // REPLACE deletes rows without firing delete triggers.
  `CREATE TRIGGER event_is_never_replaced BEFORE INSERT ON event WHEN EXISTS (SELECT 1 FROM event WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'The audit trail is append-only'); END`,
  'DROP TRIGGER event_is_never_deleted',
  `CREATE TRIGGER event_is_kept BEFORE DELETE ON event WHEN OLD.at > unixepoch() - ${TRAIL_KEPT_SECONDS}
    BEGIN SELECT RAISE(ABORT, 'The audit trail is append-only: an entry is kept for ${TRAIL_KEPT_DAYS} days'); END`,
]

// Protects against a clock that is set back, a reused id and a trail that only grows.
const heldBack: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of HELD_BACK) await sql.raw(statement).execute(database)
  },
}

// Whether an attempt is still being checked: other processes must not refuse requests because of it.
const judged: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE attempt ADD COLUMN judged INTEGER NOT NULL DEFAULT 1`.execute(database)
  },
}

// A session that was begun with other credentials than the present ones is over.
const credentialVersion: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`ALTER TABLE account ADD COLUMN credential_version INTEGER NOT NULL DEFAULT 1`.execute(database)
  },
}

// The newest entries of an account are read for each of its pages.
const newestEvents: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`CREATE INDEX event_latest ON event (account_id, id)`.execute(database)
  },
}

const SIGN_UP: readonly string[] = [
  `CREATE TABLE confirmation (
    digest TEXT PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  'CREATE INDEX confirmation_age ON confirmation (expires_at)',
  'CREATE INDEX confirmation_address ON confirmation (email_key)',
]

const signUp: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    for (const statement of SIGN_UP) await sql.raw(statement).execute(database)
  },
}

const recoveryCodes: Migration = {
  async up(database: Kysely<unknown>): Promise<void> {
    await sql`CREATE TABLE recovery_code (
      account_id TEXT NOT NULL REFERENCES account (id) ON DELETE CASCADE,
      prefix TEXT NOT NULL,
      hash TEXT NOT NULL,
      used_at INTEGER,
      PRIMARY KEY (account_id, prefix)
    ) STRICT, WITHOUT ROWID`.execute(database)
  },
}

// Migrations run in the order of their names. A released migration is never edited.
const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '001_initial': initial,
  '002_challenge_end': challengeEnd,
  '003_held_back': heldBack,
  '004_judged': judged,
  '005_credential_version': credentialVersion,
  '006_newest_events': newestEvents,
  '007_sign_up': signUp,
  '008_recovery_codes': recoveryCodes,
  '008_notices': notices,
  '009_passkeys': passkeys,
  '009_recovery': recovery,
  '010_administration': administration,
  '011_api_tokens': apiTokens,
  '012_activity': activity,
  '012_pages': pages,
  '013_lost_factor': lostFactor,
  '020_account_search': accountSearch,
  '021_counters': counters,
  '022_recovery_code_sets': recoveryCodeSets,
  '030_factor_unlock': factorUnlock,
  '031_mail_codes': mailCodes,
  '040_address_change': addressChange,
  '041_account_deletion': accountDeletion,
  '050_reminders': reminders,
  '060_trusted_devices': trustedDevices,
  '061_trusted_device_replays': trustedDeviceReplays,
  '062_former_names': formerNames,
  '063_trusted_device_ends': trustedDeviceEnds,
  '066_credential_mark': credentialMark,
  '067_ended_sessions': endedSessions,
  '068_granters': granters,
}

/**
 * Migrates a database to the newest version: all missing migrations, or none. The write lock is taken first, so of two
 * processes that start at once, the second waits and finds nothing to do.
 *
 * @param database An open database.
 * @throws {NewerDatabaseError} If it holds migrations that this version does not know.
 * @throws {IncompleteDatabaseError} If a table or trigger is missing although its migration has run.
 * @throws {Error} If a migration fails; the database is unchanged then.
 */
export async function migrate<S>(database: Kysely<S>): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    const migrator = new Migrator({
      db: transaction,
      provider: { getMigrations: async () => ({ ...MIGRATIONS }) },
      // Kysely orders migrations by the time at which they ran, and clocks are set.
      allowUnorderedMigrations: true,
    })
    await refuseNewer(transaction)
    const { error } = await migrator.migrateToLatest()
    if (error !== undefined) throw new Error('Cannot migrate the database', { cause: error })
    await refuseIncomplete(transaction)
  })
}

// The migrator trusts its list of migrations, even if tables were dropped since.
async function refuseIncomplete<S>(database: Kysely<S>): Promise<void> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM sqlite_schema`.execute(database)
  const names = new Set(rows.map(({ name }) => name))
  const missing = PARTS.filter((name) => !names.has(name))
  if (missing.length > 0) throw new IncompleteDatabaseError(missing)
}

async function refuseNewer<S>(database: Kysely<S>): Promise<void> {
  const tables = await sql`SELECT 1 FROM sqlite_schema WHERE name = 'kysely_migration'`.execute(database)
  if (tables.rows.length === 0) return
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(
    database,
  )
  const unknown = rows.find(({ name }) => !Object.hasOwn(MIGRATIONS, name))
  if (unknown !== undefined) throw new NewerDatabaseError(unknown.name)
}

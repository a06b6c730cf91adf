import { hash } from 'node:crypto'
import { declarationError, shown } from '../core/internal.ts'

/*
 * One row for each session. `data` is an object of JSON values as strings by key; each key is encoded as a JSON string too,
 * because jsonb cannot hold U+0000, and both then contain it as the six characters \u0000. A tombstone has no data and,
 * after a rotation, the digest of its successor. The owner is null in a tombstone, for anonymous visitors and where an
 * earlier version wrote. Times are Unix milliseconds.
 */

/** Name of the table unless the options set another. */
export const DEFAULT_TABLE = 'sallyport_session'

const NAME = /^[a-z_][a-z0-9_]{0,47}$/
const MAX_NAME_LENGTH = 63

/** A statement that the server prepares once for each connection. */
export interface PostgresStatement {
  /** Name of the prepared statement. */
  readonly name: string
  /** Its text. */
  readonly text: string
}

/** The statements of a store. */
export interface PostgresStatements {
  /** Values: id, now. */
  readonly read: PostgresStatement
  /** Values: id, data, created, expires, owner. */
  readonly create: PostgresStatement
  /** Values: id, now, not after, created, expires. */
  readonly touch: PostgresStatement
  /** Values: id, now, not after, created, expires, keys, data, owner (null keeps it, '' takes it away). */
  readonly update: PostgresStatement
  /** Values: id, now, not after, created, expires, keys, data, owner, entries expected. */
  readonly updateExpected: PostgresStatement
  /** Values: id, now, not after, created, expires, keys, data, owner, new id, tombstone's end. */
  readonly rotate: PostgresStatement
  /** Values: id, new id. */
  readonly rotated: PostgresStatement
  /** Values: ids, now, not after, tombstone's end. */
  readonly destroy: PostgresStatement
  /** Live sessions of an owner. Values: owner, now. */
  readonly sessionsOf: PostgresStatement
  /** Finds expired rows and, of those that expire last, rows dated in the future. Values: now, latest date, maximum rows. */
  readonly outdated: PostgresStatement
  /** Deletes those among them that still are. Values: now, latest date, identifiers. */
  readonly sweep: PostgresStatement
}

/**
 * The schema of a {@link PostgresSessionStore}, for applications with their own migrations.
 *
 * @param table Name of the table; may be `schema.table`. Default: `sallyport_session`.
 * @returns SQL statements that can be run repeatedly.
 * @throws {TypeError} If the name has other characters than lower-case letters, digits and `_`.
 */
export function postgresSessionSchema(table: string = DEFAULT_TABLE): string {
  const name = quoted(table)
  const index = (column: string): string => `"${table.split('.').at(-1)}_${column}"`
  return `CREATE TABLE IF NOT EXISTS ${name} (
  id text PRIMARY KEY,
  data jsonb NOT NULL,
  ended boolean NOT NULL DEFAULT false,
  successor text,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  owner text
);
ALTER TABLE ${name} ADD COLUMN IF NOT EXISTS owner text;
CREATE INDEX IF NOT EXISTS ${index('expiry')} ON ${name} (expires_at);
CREATE INDEX IF NOT EXISTS ${index('owner')} ON ${name} (owner) WHERE owner IS NOT NULL;
`
}

/**
 * What the schema creates last is there, so it need not run again: it would wait for every transaction on the table, and
 * everything else would wait behind it.
 *
 * @param table Name of the table.
 * @returns A query that returns a row when the table has the index of its owners.
 */
export function postgresMigrated(table: string): { text: string; values: unknown[] } {
  const text = `SELECT FROM pg_attribute AS a JOIN pg_index AS i ON i.indrelid = a.attrelid AND a.attnum = ANY (i.indkey)
    WHERE a.attrelid = to_regclass($1) AND a.attname = 'owner' AND i.indisvalid`
  return { text, values: [quoted(table)] }
}

/**
 * @param table Name of the table.
 * @returns The statements of a store.
 * @throws {TypeError} If the name has other characters than lower-case letters, digits and `_`.
 */
export function postgresStatements(table: string): PostgresStatements {
  const t = quoted(table)
  const latest = 'to_timestamp($3::float8 / 1000)'
  // PostgreSQL evaluates it again on the newest version of the row after waiting for a lock. The time guards against a
  // statement that a stalled server finds later: its request has been answered with a 503.
  const live = `id = $1 AND NOT ended AND expires_at > $2
      AND clock_timestamp() <= ${latest} AND jsonb_typeof(data) = 'object'`
  const merged = '(data - $6::text[]) || $7::jsonb'
  const owner = "nullif(coalesce($8::text, owner), '')"
  const row = 'id, data::text AS data, ended, successor, created_at::float8, expires_at::float8, owner'
  const counted = `SELECT (SELECT count(*) FROM changed)::int AS changed, clock_timestamp() > ${latest} AS late`
  const updated = (condition: string): string => `WITH changed AS (
      UPDATE ${t} SET data = ${merged}, created_at = $4, expires_at = $5, owner = ${owner}
      WHERE ${condition} RETURNING 1) ${counted}`
  const named = (name: string, text: string): PostgresStatement => ({ name: nameOf(table, name), text })
  return {
    read: named('read', `SELECT ${row} FROM ${t} WHERE id = $1 AND expires_at > $2`),
    create: named(
      'create',
      `INSERT INTO ${t} (id, data, created_at, expires_at, owner) VALUES ($1, $2::jsonb, $3, $4, $5)
      ON CONFLICT (id) DO UPDATE SET data = excluded.data, ended = false, successor = NULL,
        created_at = excluded.created_at, expires_at = excluded.expires_at, owner = excluded.owner`,
    ),
    touch: named(
      'touch',
      `WITH changed AS (
      UPDATE ${t} SET created_at = $4, expires_at = $5 WHERE ${live} RETURNING 1) ${counted}`,
    ),
    update: named('update', updated(live)),
    updateExpected: named('update_expected', updated(`${live} AND data = $9::jsonb`)),
    // The row itself moves, so that a concurrent statement finds its identifier gone; a tombstone is inserted in its place.
    rotate: named(
      'rotate',
      `WITH changed AS (
        UPDATE ${t} SET id = $9, data = ${merged}, created_at = $4, expires_at = $5, owner = ${owner}
        WHERE ${live} RETURNING 1),
      tombstone AS (
        INSERT INTO ${t} (id, data, ended, successor, created_at, expires_at)
        SELECT $1, '{}', true, $9, $2, $10 FROM changed) ${counted}`,
    ),
    rotated: named('rotated', `SELECT FROM ${t} WHERE id = $1 AND ended AND successor = $2`),
    // A malformed record ends too: another version may understand it. The rows are locked in one order, so that statements
    // with the same rows wait for each other instead of failing; the time counts once all are locked.
    destroy: named(
      'destroy_all',
      `WITH present AS (
        SELECT id FROM ${t} WHERE id = ANY ($1::text[]) AND NOT ended AND expires_at > $2 ORDER BY id FOR UPDATE),
      locked AS (SELECT array_agg(id) AS ids, clock_timestamp() AS at FROM present),
      changed AS (
        UPDATE ${t} AS t SET data = '{}', ended = true, owner = NULL, created_at = $2, expires_at = $4
        FROM locked WHERE t.id = ANY (locked.ids) AND locked.at <= ${latest} RETURNING 1) ${counted}`,
    ),
    sessionsOf: named(
      'sessions_of',
      `SELECT ${row} FROM ${t} WHERE owner = $1 AND NOT ended AND expires_at > $2`,
    ),
    outdated: named('outdated', outdatedText(t)),
    sweep: named('sweep', sweepText(t)),
  }
}

function outdatedText(t: string): string {
  return `WITH expired AS (SELECT id FROM ${t} WHERE expires_at <= $1 ORDER BY expires_at LIMIT $3),
      latest AS (SELECT id, created_at FROM ${t} ORDER BY expires_at DESC LIMIT $3)
      SELECT id FROM expired UNION ALL SELECT id FROM latest WHERE created_at > $2`
}

function sweepText(t: string): string {
  return `DELETE FROM ${t} WHERE id IN (
      SELECT id FROM ${t} WHERE id = ANY ($3::text[]) AND (expires_at <= $1 OR created_at > $2) FOR UPDATE SKIP LOCKED)`
}

// The server truncates longer names, to the same one for all statements of a table.
function nameOf(table: string, statement: string): string {
  const name = `${table}.${statement}`
  if (name.length <= MAX_NAME_LENGTH) return name
  return `sallyport_session.${hash('sha256', name, 'base64url')}`
}

function quoted(table: string): string {
  const parts = typeof table === 'string' ? table.split('.') : []
  if (parts.length < 1 || parts.length > 2 || !parts.every((part) => NAME.test(part))) {
    throw declarationError(
      `Cannot name the table of the sessions ${shown(table)}: use lower-case letters, digits and "_"`,
    )
  }
  return parts.map((part) => `"${part}"`).join('.')
}

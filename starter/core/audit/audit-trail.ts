import { getLogger } from '@logtape/logtape'
import { metrics } from '@opentelemetry/api'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../database/database.ts'
import { TRAIL_KEPT_DAYS } from '../database/migrations/core.ts'
import type { Schema } from '../database/schema.ts'
import { PENDING_LOGIN_SECONDS } from '../limits/limits.ts'

// The same events as log records, for monitoring; they hold nothing that the trail does not.
const log = getLogger(['app', 'audit'])

/** The recorded events. A fixed list, because free text could contain a secret. */
export const AuditEvent = {
  PasswordRefused: 'password-refused',
  PasswordAccepted: 'password-accepted',
  PasswordLocked: 'password-locked',
  LoginRefused: 'login-refused',
  LoggedIn: 'logged-in',
  CodeRefused: 'code-refused',
  CodeLocked: 'code-locked',
  ChallengeSpent: 'challenge-spent',
  ChallengeExpired: 'challenge-expired',
  ChallengeOutdated: 'challenge-outdated',
  ChallengeCancelled: 'challenge-cancelled',
  AccountUnavailable: 'account-unavailable',
  LoggedOut: 'logged-out',
  AccountCreated: 'account-created',
  StepUpConfirmed: 'step-up-confirmed',
  FactorEnabled: 'factor-enabled',
  FactorReplaced: 'factor-replaced',
  FactorRenamed: 'factor-renamed',
  FactorRemoved: 'factor-removed',
  PasswordChanged: 'password-changed',
  RecoveryCodeUsed: 'recovery-code-used',
  RecoveryCodeRefused: 'recovery-code-refused',
  RecoveryCodesRenewed: 'recovery-codes-renewed',
  Objected: 'objected',
  UnusualSignIn: 'unusual-sign-in',
  TrailTrimmed: 'trail-trimmed',
  BackupMade: 'backup-made',
  MailsRetried: 'mails-retried',
  MailsDropped: 'mails-dropped',
  ResetRequested: 'reset-requested',
  PasswordReset: 'password-reset',
  FactorKeyRotated: 'factor-key-rotated',
  EnrollmentRequired: 'enrollment-required',
} as const

// Maximum number of entries of one kind, account and client in an hour, because clients can cause these at will; the log has
// all of them. Logins and logouts are always recorded.
const MAX_ALIKE = 20
const ALIKE_SECONDS = 60 * 60
const UNBOUNDED: readonly string[] = [AuditEvent.LoggedIn, AuditEvent.LoggedOut]
// How many entries of the account and kind are inspected for that.
const LOOKED_AT = 500

/** Maximum number of entries of each kind in a summary, so that many of one kind do not hide others. */
export const READ_OF_EACH_KIND = 500
const SECONDS_OF_A_DAY = 24 * 60 * 60

/** Youngest age of entries that can be deleted, in days. */
export const MIN_TRIM_DAYS: number = TRAIL_KEPT_DAYS

/** The kinds that parts record, each with the message `event.<kind>`: a part adds its own to this interface. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type
export interface PartEvents {}

/** One of the recorded kinds. */
export type AuditEvent = (typeof AuditEvent)[keyof typeof AuditEvent] | keyof PartEvents

/** Something that happened; never contains a password, a code or a secret. */
export interface AuditEntry {
  readonly kind: AuditEvent
  /** The account; null when unknown. */
  readonly accountId: string | null
  readonly clientAddress: string
  /** Browser and system of the client, as `deviceOf()` names them; empty where no client is, or it is not known. */
  readonly device: string
  /** Identifier of the pending login. Default: none. */
  readonly challengeId?: string
  /** Who did it, where that is not the owner of the account, as `actorName()` names it. Default: the owner. */
  readonly actor?: string
  /** What it was done with: the kind of the factor that was proven, or the name of a permission. Default: nothing. */
  readonly detail?: string
  /** Why, in the words of the actor. Stored, and not logged. Default: none. */
  readonly reason?: string
  /** Whether the log warns of it: something that proves an account has a copy, as far as can be known. Default: it does not. */
  readonly isAlarm?: true
}

/** An entry read from the trail. */
export interface AuditRecord {
  /** Unix timestamp in seconds. */
  readonly at: number
  readonly kind: string
  /** The account; null when unknown. */
  readonly accountId: string | null
  readonly clientAddress: string
  /** Name of the account's owner; null when the account is unknown or deleted. */
  readonly name: string | null
  /** Who did it, where that is not the owner of the account; otherwise null. */
  readonly actor: string | null
  /** Identifier of the pending login; null for none. */
  readonly challengeId: string | null
}

/** What a summary calls passwords that were right, of logins that nobody finished. */
export const PASSWORD_UNFINISHED = 'password-unfinished'

/** A summary of the entries of one kind on one day: the newest entry, and counts. */
export interface AuditSummary extends AuditRecord {
  /** Number of entries. */
  readonly times: number
  /** Number of distinct client addresses. */
  readonly clients: number
  /** Number of distinct known accounts. */
  readonly accounts: number
}

/** The audit trail: who did what, when, from where, with which result. Entries are added and never changed. */
export class AuditTrail {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #events = metrics.getMeter('app').createCounter('app.events')

  /**
   * Adds an entry, unless there were too many like it within the hour.
   *
   * @param database The transaction to use. Default: none.
   */
  async record(entry: AuditEntry, database: Kysely<Schema> = this.#database): Promise<void> {
    const { kind, accountId, clientAddress, device, challengeId = null } = entry
    const { actor = null, detail = null, reason = null } = entry
    const at = this.#clock.timestamp()
    const values = [at, accountId, kind, clientAddress, device, challengeId, actor, detail, reason]
    // What the administration does is always recorded.
    const isBounded = actor === null && !UNBOUNDED.includes(kind)
    await sql`
      INSERT INTO event (at, account_id, kind, client_address, device, challenge_id, actor, detail, reason)
      SELECT ${sql.join(values)} WHERE ${isBounded ? areFewLike(entry, at) : sql`TRUE`}`.execute(database)
    this.#events.add(1, { kind })
    const { reason: _reason, isAlarm = false, ...logged } = entry
    const line = '{kind} account={accountId} client={clientAddress}'
    if (isAlarm) log.warn(line, logged)
    else log.info(line, logged)
  }

  /** @returns The newest entries of the account, or of all accounts and of none, newest first. */
  latest(limit: number, accountId?: string): Promise<readonly AuditRecord[]> {
    return this.#database
      .selectFrom('event')
      .leftJoin('account', 'account.id', 'event.account_id')
      .select([
        'event.at',
        'event.kind',
        'event.account_id as accountId',
        'event.client_address as clientAddress',
        'account.name',
        'event.actor',
        'event.challenge_id as challengeId',
      ])
      .$if(accountId !== undefined, (query) => query.where('event.account_id', '=', accountId ?? null))
      .orderBy('event.id', 'desc')
      .limit(limit)
      .execute()
  }

  /**
   * Summarizes entries of the account, or all, for a page: each kind once a day for all clients together, so that guessing, from any
   * number of addresses, does not push other events off the page. Logins and logouts are listed by client.
   */
  async summary(limit: number, accountId?: string): Promise<readonly AuditSummary[]> {
    const records = withUnfinished(await this.#newestOfEachKind(accountId), this.#clock.timestamp())
    const lines = [...Map.groupBy(records, lineOf).values()]
    return lines.slice(0, limit).flatMap(toSummary)
  }

  /**
   * Deletes old entries. The operator decides how long they are kept.
   *
   * @throws {RangeError} If it is not an integer from 90 on: the database itself keeps younger entries.
   */
  async trim(days: number): Promise<number> {
    if (!Number.isSafeInteger(days) || days < TRAIL_KEPT_DAYS)
      throw new RangeError(
        `Cannot delete entries older than ${String(days)} days: use a whole number of days, ${TRAIL_KEPT_DAYS} or more`,
      )
    const end = this.#clock.timestamp() - days * SECONDS_OF_A_DAY
    const result = await this.#database.deleteFrom('event').where('at', '<', end).executeTakeFirst()
    return Number(result.numDeletedRows)
  }

  // The kinds are found in the index one by one, and of each the newest entries, by the oldest of them: PostgreSQL reads the whole
  // trail for `event.id IN (SELECT …)`, and all accounts where they are joined.
  async #newestOfEachKind(accountId: string | undefined): Promise<readonly AuditRecord[]> {
    const whose = accountId === undefined ? sql`TRUE` : sql`account_id = ${accountId}`
    const { rows } = await sql<AuditRecord>`
      WITH RECURSIVE kinds (kind) AS (
        SELECT min(kind) FROM event WHERE ${whose}
        UNION ALL
        SELECT (SELECT min(kind) FROM event WHERE ${whose} AND kind > kinds.kind) FROM kinds WHERE kind IS NOT NULL
      )
      SELECT at, event.kind, account_id AS "accountId", client_address AS "clientAddress",
        (SELECT name FROM account WHERE account.id = event.account_id) AS name, actor, challenge_id AS "challengeId"
      FROM kinds
      JOIN event ON ${whose} AND event.kind = kinds.kind AND event.id >= COALESCE((
        SELECT id FROM event WHERE ${whose} AND kind = kinds.kind ORDER BY id DESC LIMIT 1 OFFSET ${READ_OF_EACH_KIND - 1}
      ), 0)
      ORDER BY event.id DESC`.execute(this.#database)
    return rows
  }
}

// Entries dated in the future, after the clock was set back, must not suppress others.
function areFewLike({ accountId, kind, clientAddress }: AuditEntry, at: number): RawBuilder<boolean> {
  const whose = accountId === null ? sql`account_id IS NULL` : sql`account_id = ${accountId}`
  return sql<boolean>`(
    SELECT count(*) FROM (
      SELECT at, client_address FROM event WHERE ${whose} AND kind = ${kind}
      ORDER BY id DESC LIMIT ${LOOKED_AT}
    ) AS latest WHERE client_address = ${clientAddress} AND at > ${at - ALIKE_SECONDS} AND at <= ${at}
  ) < ${MAX_ALIKE}`
}

/** @returns The records without the right passwords that a sign-in among them finished: a reader knows both as one sign-in. */
export function asStories<T extends Pick<AuditRecord, 'kind' | 'challengeId'>>(
  records: readonly T[],
): readonly T[] {
  const finished = new Set<string>()
  for (const { kind, challengeId } of records)
    if (kind === AuditEvent.LoggedIn && challengeId !== null) finished.add(challengeId)
  return records.filter(
    ({ kind, challengeId }) => kind !== AuditEvent.PasswordAccepted || !finished.has(challengeId ?? ''),
  )
}

// A right password whose login was never finished is another thing than one on the way in (ASVS 5.0, 6.3.5). What finished it is
// newer, so it is among the records too.
function withUnfinished(records: readonly AuditRecord[], now: number): readonly AuditRecord[] {
  return asStories(records).map((record) => {
    const { kind, challengeId, at } = record
    if (kind !== AuditEvent.PasswordAccepted || challengeId === null) return record
    return now - at < PENDING_LOGIN_SECONDS ? record : { ...record, kind: PASSWORD_UNFINISHED }
  })
}

// Entries with the same result are on one line.
function lineOf(record: AuditRecord): string {
  const { kind, accountId, clientAddress } = record
  const line = `${kind} ${dayOf(record)}`
  if (record.actor !== null) return `${line} ${accountId} ${record.actor}`
  return UNBOUNDED.includes(kind) ? `${line} ${accountId} ${clientAddress}` : line
}

function toSummary(line: readonly AuditRecord[]): AuditSummary[] {
  const [newest] = line
  if (newest === undefined) return []
  const clients = countOf(line.map(({ clientAddress }) => clientAddress))
  const accounts = countOf(line.map(({ accountId }) => accountId))
  return [{ ...newest, times: line.length, clients, accounts }]
}

function countOf(values: readonly (string | null)[]): number {
  const distinct = new Set(values)
  distinct.delete(null)
  return distinct.size
}

function dayOf({ at }: AuditRecord): number {
  return Math.floor(at / SECONDS_OF_A_DAY)
}

import { getLogger } from '@logtape/logtape'
import { metrics } from '@opentelemetry/api'
import { type RawBuilder, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { type Connection, Database } from '../database/index.ts'
import type { AuditEntry, AuditRecord } from './audit-entry.ts'
import { type AuditSummary, summarize } from './audit-summary.ts'
import { type EventTables, TRAIL_KEPT_DAYS } from './event-table.ts'
import { TrailRules, withUnfinished } from './trail-rules.ts'

// The same events as log records, for monitoring; they hold nothing that the trail does not.
const log = getLogger(['app', 'audit'])

// Maximum number of entries of one kind, account and client in an hour, because clients can cause these at will; the log has
// all of them.
const MAX_ALIKE = 20
const ALIKE_SECONDS = 60 * 60
// How many entries of the account and kind are inspected for that.
const LOOKED_AT = 500
const SECONDS_OF_A_DAY = 24 * 60 * 60

/** Maximum number of entries of each kind in a summary, so that many of one kind do not hide others. */
export const READ_OF_EACH_KIND = 500

/**
 * The audit trail: who did what, when, from where, with which result. Entries are added and never changed. An application names its kinds
 * once, and exports both the class and the type: `const AuditTrail: typeof AnyAuditTrail<Kind> = AnyAuditTrail`.
 */
export class AuditTrail<Kind extends string> {
  readonly #database = inject(Database<EventTables>)
  readonly #clock = inject(Clock)
  readonly #rules = inject(TrailRules)
  readonly #events = metrics.getMeter('app').createCounter('app.events')

  /**
   * Adds an entry, unless there were too many like it within the hour. What somebody else than the owner does is always recorded.
   *
   * @param entry What happened.
   * @param database The transaction to use. Default: none.
   */
  async record<Tables extends EventTables>(
    entry: AuditEntry<Kind>,
    database?: Connection<Tables>,
  ): Promise<void> {
    const { kind, accountId, clientAddress, device, challengeId = null } = entry
    const { actor = null, detail = null, reason = null } = entry
    const at = this.#clock.timestamp()
    const values = [at, accountId, kind, clientAddress, device, challengeId, actor, detail, reason]
    const isBounded = actor === null && !this.#rules.always.includes(kind)
    await sql`
      INSERT INTO event (at, account_id, kind, client_address, device, challenge_id, actor, detail, reason)
      SELECT ${sql.join(values)} WHERE ${isBounded ? areFewLike(entry, at) : sql`TRUE`}`.execute(
      database ?? this.#database,
    )
    this.#events.add(1, { kind })
    const { reason: _reason, isAlarm = false, ...logged } = entry
    const line = '{kind} account={accountId} client={clientAddress}'
    if (isAlarm) log.warn(line, logged)
    else log.info(line, logged)
  }

  /**
   * Reads the newest entries.
   *
   * @param limit At most so many.
   * @param accountId Those of one account. Default: of all accounts and of none.
   * @returns The entries, newest first.
   */
  async latest(limit: number, accountId?: string): Promise<readonly AuditRecord[]> {
    const { rows } = await sql<AuditRecord>`
      SELECT ${this.#columns()} FROM event WHERE ${ownedBy(accountId)} ORDER BY id DESC LIMIT ${limit}`.execute(
      this.#database,
    )
    return rows
  }

  /**
   * Summarizes entries for a page: each kind once a day for all clients together, so that guessing, from any number of addresses, does not
   * push other events off the page. The kinds that are always recorded are listed by client.
   *
   * @param limit At most so many lines.
   * @param accountId Those of one account. Default: of all accounts and of none.
   * @returns The lines, newest first, of {@link READ_OF_EACH_KIND} entries of each kind.
   */
  async summary(limit: number, accountId?: string): Promise<readonly AuditSummary[]> {
    const { story, always } = this.#rules
    const records = await this.#newestOfEachKind(accountId)
    return summarize(withUnfinished(records, { story, now: this.#clock.timestamp() }), always).slice(0, limit)
  }

  /**
   * Deletes old entries. The operator decides how long they are kept.
   *
   * @param days How old the entries are that go, in days.
   * @returns How many.
   * @throws {RangeError} If it is not an integer from {@link TRAIL_KEPT_DAYS} on: the database itself keeps younger entries.
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
    const whose = ownedBy(accountId)
    const { rows } = await sql<AuditRecord>`
      WITH RECURSIVE kinds (kind) AS (
        SELECT min(kind) FROM event WHERE ${whose}
        UNION ALL
        SELECT (SELECT min(kind) FROM event WHERE ${whose} AND kind > kinds.kind) FROM kinds WHERE kind IS NOT NULL
      )
      SELECT ${this.#columns()}
      FROM kinds
      JOIN event ON ${whose} AND event.kind = kinds.kind AND event.id >= COALESCE((
        SELECT id FROM event WHERE ${whose} AND kind = kinds.kind ORDER BY id DESC LIMIT 1 OFFSET ${READ_OF_EACH_KIND - 1}
      ), 0)
      ORDER BY event.id DESC`.execute(this.#database)
    return rows
  }

  #columns(): RawBuilder<unknown> {
    return sql`at, event.kind, account_id AS "accountId", client_address AS "clientAddress",
      ${this.#rules.nameOf} AS name, actor, challenge_id AS "challengeId"`
  }
}

function ownedBy(accountId: string | undefined): RawBuilder<unknown> {
  return accountId === undefined ? sql`TRUE` : sql`account_id = ${accountId}`
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

import { getLogger } from '@logtape/logtape'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Clock } from 'sallyport'
import { TRAIL_KEPT_DAYS } from '../database/migrations.ts'
import type { Schema } from '../database/schema.ts'

// The same to the log, for whoever watches it; it holds nothing that the trail does not.
const log = getLogger(['starter', 'audit'])

/** What the trail records. A closed list: a free text could carry a secret. */
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
  ChallengeCancelled: 'challenge-cancelled',
  AccountUnavailable: 'account-unavailable',
  LoggedOut: 'logged-out',
} as const

// Of one kind, one account and one client so many entries are added in an hour, for these can be brought about at will;
// the log has all of them. Logins and logouts are always entered.
const MAX_ALIKE = 20
const ALIKE_SECONDS = 60 * 60
const UNBOUNDED: readonly string[] = [AuditEvent.LoggedIn, AuditEvent.LoggedOut]
// So many entries of the account and the kind are looked at for that.
const LOOKED_AT = 500

/** So many entries of each kind are read for a summary: many of one kind hide none of another. */
export const READ_OF_EACH_KIND = 500
const SECONDS_OF_A_DAY = 24 * 60 * 60

/** One of the recorded kinds. */
export type AuditEvent = (typeof AuditEvent)[keyof typeof AuditEvent]

/** Something that happened, without a password, a code or a secret. */
export interface AuditEntry {
  /** What happened. */
  readonly kind: AuditEvent
  /** To whose account; null when nobody can be named. */
  readonly accountId: string | null
  /** From where. */
  readonly clientAddress: string
  /** In which pending login. Default: none. */
  readonly challengeId?: string
}

/** An entry as it is read back. */
export interface AuditRecord {
  /** Unix timestamp in seconds. */
  readonly at: number
  /** What happened. */
  readonly kind: string
  /** To whose account; null when nobody was named. */
  readonly accountId: string | null
  /** From where. */
  readonly clientAddress: string
  /** What the account's owner is called; null when nobody was named or the account is gone. */
  readonly name: string | null
}

/** Entries of one kind and one day, summed up: the newest of them, and what they have in common. */
export interface AuditSummary extends AuditRecord {
  /** How many entries. */
  readonly times: number
  /** From how many addresses. */
  readonly clients: number
  /** To how many accounts, those of nobody aside. */
  readonly accounts: number
}

/** The audit trail: who did what, when, from where, with which result. Entries are added and never changed. */
export class AuditTrail {
  readonly #database: Kysely<Schema>
  readonly #clock: Clock

  /**
   * @param database Where the entries are kept.
   * @param clock Clock of the application.
   */
  constructor(database: Kysely<Schema>, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /**
   * Adds an entry, unless so many like it were added within the hour that one more says nothing.
   *
   * @param entry What happened.
   * @param database Where; a transaction for what is to happen with it. Default: the database.
   */
  async record(entry: AuditEntry, database: Kysely<Schema> = this.#database): Promise<void> {
    const { kind, accountId, clientAddress, challengeId = null } = entry
    const at = this.#clock.timestamp()
    const isBounded = !UNBOUNDED.includes(kind)
    await sql`
      INSERT INTO event (at, account_id, kind, client_address, challenge_id)
      SELECT ${at}, ${accountId}, ${kind}, ${clientAddress}, ${challengeId}
      WHERE ${isBounded ? sql`(${alike(entry, at)}) < ${MAX_ALIKE}` : sql`TRUE`}`.execute(database)
    log.info('{kind} account={accountId} client={clientAddress}', { ...entry })
  }

  /**
   * @param limit How many entries at most.
   * @param accountId Of which account. Default: of all, and those of nobody.
   * @returns The newest entries, newest first.
   */
  async latest(limit: number, accountId?: string): Promise<readonly AuditRecord[]> {
    let query = this.#database
      .selectFrom('event')
      .leftJoin('account', 'account.id', 'event.account_id')
      .select(['event.at', 'event.kind', 'event.account_id', 'event.client_address', 'account.name'])
      .orderBy('event.id', 'desc')
      .limit(limit)
    if (accountId !== undefined) query = query.where('event.account_id', '=', accountId)
    const rows = await query.execute()
    return rows.map(({ account_id: accountId, client_address: clientAddress, ...row }) => ({
      ...row,
      accountId,
      clientAddress,
    }))
  }

  /**
   * Sums entries up for a page: each kind once for each day, whoever it came from, so that somebody who guesses, from
   * however many addresses, does not push everything else off. Logins and logouts are told apart by client.
   *
   * @param limit How many at most.
   * @param accountId Of which account. Default: of all, and those of nobody.
   * @returns The newest first.
   */
  async summary(limit: number, accountId?: string): Promise<readonly AuditSummary[]> {
    const newest = sql.join(
      Object.values(AuditEvent).map((kind) => newestOf(kind, accountId)),
      sql` UNION ALL `,
    )
    const { rows } = await sql<SummaryRow>`
      SELECT kind, at, folded.account_id, client_address, account.name AS name, times, clients, accounts FROM (
        SELECT kind, at, account_id, client_address, max(id) AS id, count(*) AS times,
          count(DISTINCT client_address) AS clients, count(DISTINCT account_id) AS accounts
        FROM (${newest})
        GROUP BY kind, at / ${sql.lit(SECONDS_OF_A_DAY)},
          iif(kind IN (${sql.join(UNBOUNDED)}), json_array(account_id, client_address), NULL)
        ORDER BY id DESC LIMIT ${limit}
      ) AS folded LEFT JOIN account ON account.id = folded.account_id
      ORDER BY folded.id DESC`.execute(this.#database)
    return rows.map(({ account_id: id, client_address: clientAddress, ...row }) => ({
      ...row,
      accountId: id,
      clientAddress,
    }))
  }

  /**
   * Deletes old entries: how long they are kept is for the operator to decide.
   *
   * @param days Entries over so many days are deleted.
   * @returns How many were.
   * @throws {RangeError} If it is no whole number from 90 on: the database itself keeps younger ones.
   */
  async trim(days: number): Promise<number> {
    if (!Number.isSafeInteger(days) || days < TRAIL_KEPT_DAYS)
      throw new RangeError(`Cannot delete entries of ${days} days: ${TRAIL_KEPT_DAYS} at least`)
    const end = this.#clock.timestamp() - days * SECONDS_OF_A_DAY
    const result = await this.#database.deleteFrom('event').where('at', '<', end).executeTakeFirst()
    return Number(result.numDeletedRows)
  }
}

type SummaryRow = Omit<AuditSummary, 'accountId' | 'clientAddress'> & {
  readonly account_id: string | null
  readonly client_address: string
}

// Entries dated in the future, for the clock was set back, do not keep others out.
function alike({ kind, accountId, clientAddress }: AuditEntry, now: number): RawBuilder<number> {
  return sql<number>`
    SELECT count(*) FROM (
      SELECT at, client_address FROM event WHERE account_id IS ${accountId} AND kind = ${kind}
      ORDER BY id DESC LIMIT ${LOOKED_AT}
    ) WHERE client_address = ${clientAddress} AND at > ${now - ALIKE_SECONDS} AND at <= ${now}`
}

function newestOf(kind: string, accountId: string | undefined): RawBuilder<unknown> {
  const whose = accountId === undefined ? sql`TRUE` : sql`account_id = ${accountId}`
  return sql`
    SELECT * FROM (
      SELECT id, at, kind, account_id, client_address FROM event WHERE kind = ${kind} AND ${whose}
      ORDER BY id DESC LIMIT ${READ_OF_EACH_KIND}
    )`
}

import { getLogger } from '@logtape/logtape'
import type { Kysely } from 'kysely'
import type { Clock } from 'sallyport'
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
   * Adds an entry.
   *
   * @param entry What happened.
   */
  async record(entry: AuditEntry): Promise<void> {
    const row = {
      at: this.#clock.timestamp(),
      account_id: entry.accountId,
      kind: entry.kind,
      client_address: entry.clientAddress,
      challenge_id: entry.challengeId ?? null,
    }
    await this.#database.insertInto('event').values(row).execute()
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
}

import { sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { SessionStore } from 'sallyport/session'
import { Database } from '../../core/database/database.ts'
import { FACTOR_LIMIT } from '../../core/limits/limits.ts'

// No session has it. The store answers as for any unknown one.
const NO_SESSION = `00${'0'.repeat(43)}`

/** How the program is doing. Nothing in it names a person. */
export interface StatusFacts {
  /** Unix timestamp at which the program started. */
  readonly startedAt: number
  /** Number of accounts that may sign in, that may not, and that have a second factor. */
  readonly accounts: { readonly active: number; readonly disabled: number; readonly secured: number }
  /** Failed attempts within the last quarter of an hour. */
  readonly failures: number
  /** Number of API tokens. */
  readonly tokens: number
  /** Addresses that wait for their confirmation. */
  readonly confirmations: number
  /** Entries of the audit trail, and the time of the oldest; null for none. */
  readonly trail: { readonly entries: number; readonly oldest: number | null }
  /** Number of migrations, and the last one. */
  readonly migrations: { readonly count: number; readonly last: string }
  /** Whether the store of the sessions answers. */
  readonly hasSessions: boolean
}

interface CountRow {
  readonly active: number
  readonly disabled: number
  readonly secured: number
  readonly failures: number
  readonly tokens: number
  readonly confirmations: number
  readonly entries: number
  readonly oldest: number | null
  readonly migrations: number
  readonly last: string
}

/** Looks at the program for its operators. */
export class ProgramStatus {
  readonly #database = inject(Database)
  readonly #sessions = inject(SessionStore)
  readonly #clock = inject(Clock)

  /** @returns What it is at this moment. */
  async read(): Promise<StatusFacts> {
    const [row] = await this.#count()
    if (row === undefined) throw new Error('Cannot read the status: the database returned no row')
    const { active, disabled, secured, failures, tokens, confirmations } = row
    return {
      startedAt: this.#clock.timestamp() - Math.floor(process.uptime()),
      accounts: { active, disabled, secured },
      failures,
      tokens,
      confirmations,
      trail: { entries: row.entries, oldest: row.oldest },
      migrations: { count: row.migrations, last: row.last },
      hasSessions: await this.#hasSessions(),
    }
  }

  async #count(): Promise<readonly CountRow[]> {
    const since = this.#clock.timestamp() - FACTOR_LIMIT.windowSeconds
    const { rows } = await sql<CountRow>`SELECT
      (SELECT count(*) FROM account WHERE state = 'active') AS active,
      (SELECT count(*) FROM account WHERE state = 'disabled') AS disabled,
      (SELECT count(DISTINCT account_id) FROM factor WHERE state = 'enabled') AS secured,
      (SELECT count(*) FROM attempt, json_each(times) WHERE value > ${since}) AS failures,
      (SELECT count(*) FROM api_token) AS tokens,
      (SELECT count(*) FROM confirmation) AS confirmations,
      (SELECT count(*) FROM event) AS entries,
      (SELECT min(at) FROM event) AS oldest,
      (SELECT count(*) FROM kysely_migration) AS migrations,
      (SELECT max(name) FROM kysely_migration) AS last`.execute(this.#database)
    return rows
  }

  async #hasSessions(): Promise<boolean> {
    try {
      await this.#sessions.read(NO_SESSION)
      return true
    } catch {
      return false
    }
  }
}

import { sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Readiness } from 'sallyport-app/health'
import { timesOf } from 'sallyport-app/limits'
import { Database } from '../../core/database/database.ts'
import { FACTOR_LIMIT } from '../../core/limits/limits.ts'

interface Counts {
  /** Accounts that may sign in, that may not, and that have a second factor. */
  readonly active: number
  readonly disabled: number
  readonly secured: number
  /** Failed attempts within the last quarter of an hour. */
  readonly failures: number
  /** Addresses that wait for their confirmation. */
  readonly confirmations: number
  /** Entries of the audit trail, and the time of the oldest; null for none. */
  readonly entries: number
  readonly oldest: number | null
}

/** How the program is doing. Nothing in it names a person. */
export interface StatusFacts extends Counts {
  /** Unix timestamp at which the program started. */
  readonly startedAt: number
  /** Whether the store of the sessions answers. */
  readonly hasSessions: boolean
}

/** Looks at the program for its operators. */
export class ProgramStatus {
  readonly #database = inject(Database)
  readonly #readiness = inject(Readiness)
  readonly #clock = inject(Clock)

  /** @returns What it is at this moment. */
  async read(): Promise<StatusFacts> {
    const now = this.#clock.timestamp()
    const { rows } = await sql<Omit<Counts, 'failures'>>`SELECT
      (SELECT count(*) FROM account WHERE state = 'active') AS active,
      (SELECT count(*) FROM account WHERE state = 'disabled') AS disabled,
      (SELECT count(DISTINCT account_id) FROM factor WHERE state = 'enabled') AS secured,
      (SELECT count(*) FROM confirmation) AS confirmations,
      (SELECT count(*) FROM event) AS entries,
      (SELECT min(at) FROM event) AS oldest`.execute(this.#database)
    const [counts] = rows
    if (counts === undefined) throw new Error('Cannot read the status: the database returned no row')
    const hasSessions = await this.#readiness.hasSessions()
    return {
      ...counts,
      failures: await this.#failuresSince(now - FACTOR_LIMIT.windowSeconds),
      startedAt: now - Math.floor(process.uptime()),
      hasSessions,
    }
  }

  async #failuresSince(start: number): Promise<number> {
    const recent = this.#database.selectFrom('attempt').select('times').where('at', '>', start)
    return (await recent.execute()).flatMap(({ times }) => timesOf(times)).filter((time) => time > start)
      .length
  }
}

import { type Kysely, sql } from 'kysely'
import type { Clock } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import type { Schema } from '../database/schema.ts'

// Rows older than this are removed; a lock is decided by those of two windows at most.
const KEPT_SECONDS = 24 * 60 * 60

/** How many failures a subject may have before it is locked. */
export interface AttemptLimit {
  /** Failures that lock. */
  readonly failures: number
  /** They lock when they lie within this many seconds, at most 12 hours; the lock lasts as long, from the last of them. */
  readonly windowSeconds: number
}

/** A try that counts as a failure until it is taken back. */
export interface Attempt {
  /** Identifier of the stored try. */
  readonly id: number
}

/**
 * Limits on failed tries, independent of any session: restarting a login refills nothing.
 *
 * A try is written down **before** the password or code is looked at and taken back when it was right. So a hundred
 * simultaneous guesses are as limited as a hundred in a row, and a process that is killed in between has counted.
 * Only a subject's failures are stored; that it is locked follows from them.
 */
export class Attempts {
  readonly #database: Kysely<Schema>
  readonly #clock: Clock

  /**
   * @param database Where the tries are kept, so that all processes share them and a restart forgets none.
   * @param clock Clock of the application.
   */
  constructor(database: Kysely<Schema>, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /**
   * Counts a try against a subject, in one atomic statement.
   *
   * @param subject What the limit protects.
   * @param limit The limit.
   * @returns The try: give it to `takeBack()` when it was right.
   * @throws {TooManyRequestsException} If the subject is locked; nothing is counted then.
   * @throws {RangeError} If the window is longer than 12 hours.
   */
  async reserve(subject: string, limit: AttemptLimit): Promise<Attempt> {
    if (2 * limit.windowSeconds > KEPT_SECONDS) {
      throw new RangeError(`Cannot limit over ${limit.windowSeconds} seconds: 12 hours at most`)
    }
    const now = this.#clock.timestamp()
    await this.#database
      .deleteFrom('attempt')
      .where('at', '<=', now - KEPT_SECONDS)
      .execute()

    const { rows } = await sql<Attempt>`
      INSERT INTO attempt (subject, at) SELECT ${subject}, ${now}
      WHERE (${failuresThatLock(subject, limit, now)}) < ${limit.failures}
      RETURNING id`.execute(this.#database)
    const [attempt] = rows
    if (attempt === undefined) throw new TooManyRequestsException(await this.lockedSeconds(subject, limit))
    return attempt
  }

  /**
   * Takes a try back that was right after all, or that was never judged.
   *
   * @param attempt What `reserve()` returned.
   */
  async takeBack(attempt: Attempt): Promise<void> {
    await this.#database.deleteFrom('attempt').where('id', '=', attempt.id).execute()
  }

  /**
   * Forgets all failures of a subject. Only a login that was completed, every factor included, may call this.
   *
   * @param subject What the limit protects.
   */
  async forget(subject: string): Promise<void> {
    await this.#database.deleteFrom('attempt').where('subject', '=', subject).execute()
  }

  /**
   * @param subject What the limit protects.
   * @param limit The limit.
   * @returns Seconds until the subject is open again; 0 when it is.
   */
  async lockedSeconds(subject: string, limit: AttemptLimit): Promise<number> {
    const now = this.#clock.timestamp()
    const { rows } = await sql<{ failures: number; last: number | null }>`
      SELECT (${failuresThatLock(subject, limit, now)}) AS failures,
        (SELECT max(at) FROM attempt WHERE subject = ${subject}) AS last`.execute(this.#database)
    const [row] = rows
    if (row === undefined || row.last === null || row.failures < limit.failures) return 0
    return row.last + limit.windowSeconds - now
  }
}

// Failures within one window before the last of them, or 0 once that one is a whole window old. While a subject is
// locked nothing is added, so the last failure is the one that locked it.
function failuresThatLock(subject: string, limit: AttemptLimit, now: number): ReturnType<typeof sql<number>> {
  return sql<number>`
    SELECT count(*) FROM attempt,
      (SELECT max(at) AS last FROM attempt WHERE subject = ${subject}) AS newest
    WHERE subject = ${subject} AND at > newest.last - ${limit.windowSeconds} AND newest.last > ${now - limit.windowSeconds}`
}

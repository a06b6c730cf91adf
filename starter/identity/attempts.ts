import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Clock } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import type { Schema } from '../database/schema.ts'
import { TriesInFlight } from './tries-in-flight.ts'

// A try is judged within this time, or its process was killed: it counts as a failure from then on.
const JUDGED_SECONDS = 30
// Rows older than this are removed; a lock is decided by those of two windows at most.
const KEPT_SECONDS = 24 * 60 * 60

/** How many failures a subject may have before it is locked. */
export interface AttemptLimit {
  /** Failures that lock. */
  readonly failures: number
  /** They lock when they lie within this many seconds, at most 12 hours; the lock lasts as long, from the last of them. */
  readonly windowSeconds: number
}

/** A limit, and what it protects. */
export interface LimitedSubject {
  /** What the limit protects. */
  readonly subject: string
  /** The limit. */
  readonly limit: AttemptLimit
}

/** A try that counts as a failure until it is taken back. */
export interface Try {
  /**
   * Takes the try back: it was right.
   *
   * @param database Where to; a transaction for what is to happen with it. Default: the database.
   */
  takeBack(database?: Kysely<Schema>): Promise<void>
}

/**
 * Limits on failed tries, independent of any session: restarting a login refills nothing.
 *
 * A try is written down **before** the password or code is looked at and taken back when it was right. So a hundred
 * simultaneous guesses are as limited as a hundred in a row, and a process that is killed in between has counted.
 * Only a subject's failures are stored; that it is locked follows from them. A try that is still judged, in whichever
 * process, counts like a failure, but whoever is kept out by such tries alone is not refused.
 *
 * A failure that is dated in the future, for the clock was set back, counts as one of now.
 */
export class Attempts {
  readonly #database: Kysely<Schema>
  readonly #clock: Clock
  readonly #inFlight = new TriesInFlight()

  /**
   * @param database Where the tries are kept, so that all processes share them and a restart forgets none.
   * @param clock Clock of the application.
   */
  constructor(database: Kysely<Schema>, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /**
   * Judges a try that counts against some subjects: against all of them, or against none when one is locked. It stays
   * counted unless it is taken back or the judgement fails. Where only tries that are still judged stand in the way, as
   * of several right logins at once, it waits for them.
   *
   * @param subjects What is limited.
   * @param judge Looks at the password or code.
   * @returns What the judgement returns.
   * @throws {TooManyRequestsException} If a subject is locked; nothing is judged and nothing counted then.
   * @throws {ServiceUnavailableException} If too many tries are judged at the moment; the same.
   * @throws {RangeError} If a window is longer than 12 hours.
   */
  async judge<T>(subjects: readonly LimitedSubject[], judge: (counted: Try) => Promise<T>): Promise<T> {
    const ids = await this.#reserve(subjects)
    let isFailure = true
    const takeBack = async (database: Kysely<Schema> = this.#database): Promise<void> => {
      if (ids.length > 0) await database.deleteFrom('attempt').where('id', 'in', ids).execute()
      isFailure = false
    }
    try {
      return await judge({ takeBack })
    } catch (error) {
      // Nothing was judged. Where even this fails, the try stays counted.
      await takeBack().catch(() => undefined)
      throw error
    } finally {
      // Where this fails, it is a failure a little later.
      if (isFailure) await this.#markJudged(ids).catch(() => undefined)
      this.#inFlight.end(subjects)
    }
  }

  /**
   * Forgets all failures of a subject. Only a login that was completed, every factor included, may call this.
   *
   * @param subject What the limit protects.
   * @param database Where; a transaction for what is to happen with it. Default: the database.
   */
  async forget(subject: string, database: Kysely<Schema> = this.#database): Promise<void> {
    await database.deleteFrom('attempt').where('subject', '=', subject).execute()
  }

  /**
   * @param subject What the limit protects.
   * @param limit The limit.
   * @returns Seconds until the subject is open again; 0 when it is.
   */
  async lockedSeconds(subject: string, limit: AttemptLimit): Promise<number> {
    const now = this.#clock.timestamp()
    const { rows } = await sql<{ failures: number; last: number | null }>`
      SELECT (${failuresThatLock({ subject, limit }, now, isJudged(now))}) AS failures,
        (SELECT max(min(at, ${now})) FROM attempt WHERE subject = ${subject} AND ${isJudged(now)}) AS last`.execute(
      this.#database,
    )
    const [row] = rows
    if (row === undefined || row.last === null || row.failures < limit.failures) return 0
    return row.last + limit.windowSeconds - now
  }

  async #reserve(subjects: readonly LimitedSubject[]): Promise<readonly number[]> {
    const patience = this.#inFlight.patience()
    for (;;) {
      const counted = await this.#count(subjects)
      if ('ids' in counted) return counted.ids
      const { subject, limit } = counted.full
      const seconds = await this.lockedSeconds(subject, limit)
      if (seconds > 0) throw new TooManyRequestsException(seconds)
      await patience.wait(subject)
    }
  }

  async #markJudged(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    await this.#database.updateTable('attempt').set({ judged: 1 }).where('id', 'in', ids).execute()
  }

  // In one transaction: counted against all, or the first that has no room.
  #count(
    subjects: readonly LimitedSubject[],
  ): Promise<{ readonly ids: readonly number[] } | { readonly full: LimitedSubject }> {
    const now = this.#clock.timestamp()
    return this.#database.transaction().execute(async (transaction) => {
      // Once and for good: a failure that were one of now at every look would lock until the clock has caught up.
      await transaction.updateTable('attempt').set({ at: now }).where('at', '>', now).execute()
      await transaction
        .deleteFrom('attempt')
        .where('at', '<=', now - KEPT_SECONDS)
        .execute()
      for (const each of subjects) if (await isFull(transaction, each, now)) return { full: each }
      const ids: number[] = []
      for (const { subject } of subjects) {
        const row = { subject, at: now, judged: 0 }
        ids.push(
          (await transaction.insertInto('attempt').values(row).returning('id').executeTakeFirstOrThrow()).id,
        )
      }
      return { ids }
    })
  }
}

async function isFull(database: Kysely<Schema>, limited: LimitedSubject, now: number): Promise<boolean> {
  const { failures, windowSeconds } = limited.limit
  if (2 * windowSeconds > KEPT_SECONDS)
    throw new RangeError(`Cannot limit over ${windowSeconds} seconds: 12 hours at most`)
  const { rows } = await sql<{ locks: number }>`
    SELECT (${failuresThatLock(limited, now, sql<boolean>`TRUE`)}) >= ${failures} AS locks`.execute(database)
  return rows[0]?.locks === 1
}

// Failures within one window before the last of them, or 0 once that one is a whole window old. While a subject is
// locked nothing is added, so the last failure is the one that locked it.
function failuresThatLock(
  { subject, limit }: LimitedSubject,
  now: number,
  counts: RawBuilder<boolean>,
): RawBuilder<number> {
  return sql<number>`
    SELECT count(*) FROM attempt,
      (SELECT max(min(at, ${now})) AS last FROM attempt WHERE subject = ${subject} AND ${counts}) AS newest
    WHERE subject = ${subject} AND ${counts}
      AND at > newest.last - ${limit.windowSeconds} AND newest.last > ${now - limit.windowSeconds}`
}

function isJudged(now: number): RawBuilder<boolean> {
  return sql<boolean>`(judged = 1 OR at <= ${now - JUDGED_SECONDS})`
}

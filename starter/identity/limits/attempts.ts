import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import { type AttemptLimit, lockLength } from './lock-length.ts'
import { TriesInFlight } from './tries-in-flight.ts'

// An attempt is checked within this time, or its process was killed; from then on it counts as a failure.
const JUDGED_SECONDS = 30
// Older rows are deleted: a lock lasts for 12 hours at most, and depends on the day before its last failure.
const KEPT_SECONDS = 36 * 60 * 60
const MAX_WINDOW_SECONDS = 12 * 60 * 60

/** A limit and the subject that it protects. */
export interface LimitedSubject {
  /** What the limit protects. */
  readonly subject: string
  /** The limit. */
  readonly limit: AttemptLimit
  /** It counts right attempts in place of failures. Default: failures. */
  readonly countsRight?: true
}

/** An attempt that counts as a failure until it is taken back. */
export interface Try {
  /**
   * Takes the attempt back, because it was correct: for all subjects that count failures.
   *
   * @param database The transaction to use. Default: none.
   */
  takeBack(database?: Kysely<Schema>): Promise<void>
}

/** What a check that is one transaction found. Nothing is counted for an attempt that was not checked. */
export type Verdict = 'right' | 'wrong' | 'unchecked'

/**
 * Limits on failed attempts, independent of any session: restarting a login resets nothing.
 *
 * An attempt is recorded **before** the password or code is checked, and taken back when it was correct. So a hundred
 * simultaneous guesses are limited like a hundred sequential ones, and a killed process does not undo the count. Only the
 * failures of a subject are stored; its lock, and how long it lasts, follow from them. An attempt that is still being checked, in any process,
 * counts as a failure, but an attempt that is over the limit only because of such attempts waits instead of being refused.
 *
 * A failure dated in the future, because the clock was set back, counts as one of now.
 */
export class Attempts {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #inFlight = new TriesInFlight()

  /**
   * Checks an attempt that counts for several subjects: for all of them, or for none if one is locked. It stays counted
   * unless it is taken back or the check itself fails. If only attempts that are still being checked exceed a limit, such
   * as several correct logins at once, it waits for them.
   *
   * @param subjects The limits that apply.
   * @param judge Checks the password or code.
   * @returns The result of the check.
   * @throws {TooManyRequestsException} If a subject is locked; nothing is checked and nothing counted then.
   * @throws {ServiceUnavailableException} If too many attempts are being checked at the moment; likewise.
   * @throws {RangeError} If a window is longer than 12 hours.
   */
  async judge<T>(subjects: readonly LimitedSubject[], judge: (counted: Try) => Promise<T>): Promise<T> {
    const ids = await this.#reserve(subjects)
    const [failures, right] = byOutcome(ids, subjects)
    let counted = ids
    const remove = async (gone: readonly number[], database = this.#database): Promise<void> => {
      if (gone.length > 0) await database.deleteFrom('attempt').where('id', 'in', gone).execute()
      counted = counted.filter((id) => !gone.includes(id))
    }
    try {
      return await judge({ takeBack: (database) => remove(failures, database) })
    } catch (error) {
      // Nothing was checked. If even this fails, the attempt stays counted.
      await remove(ids).catch(() => undefined)
      throw error
    } finally {
      if (failures.some((id) => counted.includes(id))) await remove(right).catch(() => undefined)
      // If this fails, the attempt counts as a failure a little later.
      await this.#markJudged(counted).catch(() => undefined)
      this.#inFlight.end(subjects)
    }
  }

  /**
   * Checks an attempt in one transaction with what a correct one changes. It is for checks that take less than a millisecond:
   * everything else waits for the transaction. The attempt is counted when it was wrong, in the same transaction: if the process
   * is killed before, nobody has learned whether it was correct.
   *
   * @param subjects The limits that apply.
   * @param judge Checks the code, uses it up, and may use the database only through the transaction. If it fails, nothing is
   *   counted or changed.
   * @returns What it found.
   * @throws {TooManyRequestsException} If a subject is locked; nothing is checked and nothing counted then.
   * @throws {ServiceUnavailableException} If too many attempts are being checked at the moment; likewise.
   * @throws {RangeError} If a window is longer than 12 hours.
   */
  judgeAtOnce(
    subjects: readonly LimitedSubject[],
    judge: (transaction: Kysely<Schema>) => Promise<Verdict>,
  ): Promise<Verdict> {
    return this.#whenOpen(subjects, async (transaction, now) => {
      const verdict = await judge(transaction)
      if (verdict === 'wrong')
        for (const { subject } of subjects)
          await transaction.insertInto('attempt').values({ subject, at: now, judged: 1 }).execute()
      return verdict
    })
  }

  /**
   * Resets all failures of subjects. Only a completed login, with every required factor, may call this.
   *
   * @param subjects What the limits protect.
   * @param database The transaction to use. Default: none.
   */
  async forget(subjects: readonly string[], database: Kysely<Schema> = this.#database): Promise<void> {
    await database.deleteFrom('attempt').where('subject', 'in', subjects).execute()
  }

  /**
   * @param subject What the limit protects.
   * @param limit The limit.
   * @returns Seconds until the subject is unlocked; 0 when it is not locked.
   */
  async lockedSeconds(subject: string, limit: AttemptLimit): Promise<number> {
    const now = this.#clock.timestamp()
    const judgedUntil = now - JUDGED_SECONDS
    const judged = judgedBy(judgedUntil)
    const { rows } = await sql<{ readonly failures: number; readonly last: number | null }>`
      SELECT (${failuresThatLock({ subject, limit }, { now, counts: judged })}) AS failures,
        (SELECT max(min(at, ${now})) FROM attempt WHERE subject = ${subject} AND ${judged}) AS last
    `.execute(this.#database)
    const [row] = rows
    if (row === undefined || row.last === null || row.failures < limit.failures) return 0
    if (limit.maxLockSeconds === undefined) return row.last + limit.windowSeconds - now
    return secondsLeft(this.#database, { subject, limit }, { now, judgedUntil })
  }

  /**
   * Asks for many subjects at once. Most of them have no failure, and cost nothing then.
   *
   * @param limited The subjects and their limits.
   * @returns Seconds until each of those that are locked is unlocked, by subject.
   */
  async locks(limited: readonly LimitedSubject[]): Promise<ReadonlyMap<string, number>> {
    if (limited.length === 0) return new Map()
    const failed = await failedAmong(this.#database, limited)
    const waits = new Map<string, number>()
    for (const { subject, limit } of limited) {
      const seconds = failed.has(subject) ? await this.lockedSeconds(subject, limit) : 0
      if (seconds > 0) waits.set(subject, seconds)
    }
    return waits
  }

  #reserve(subjects: readonly LimitedSubject[]): Promise<readonly number[]> {
    return this.#whenOpen(subjects, async (transaction, now) => {
      const ids: number[] = []
      for (const { subject } of subjects) {
        const { id } = await transaction
          .insertInto('attempt')
          .values({ subject, at: now, judged: 0 })
          .returning('id')
          .executeTakeFirstOrThrow()
        ids.push(id)
      }
      return ids
    })
  }

  // Works in a transaction in which no subject is full. Waits as long as one is full of attempts that are still being checked.
  async #whenOpen<T>(
    subjects: readonly LimitedSubject[],
    work: (transaction: Kysely<Schema>, now: number) => Promise<T>,
  ): Promise<T> {
    const patience = this.#inFlight.patience()
    for (;;) {
      const outcome = await this.#unlessFull(subjects, work)
      if ('result' in outcome) return outcome.result
      const { subject, limit } = outcome.full
      const seconds = await this.lockedSeconds(subject, limit)
      if (seconds > 0) throw new TooManyRequestsException(seconds)
      await patience.wait(subject)
    }
  }

  async #markJudged(ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return
    await this.#database.updateTable('attempt').set({ judged: 1 }).where('id', 'in', ids).execute()
  }

  // In one transaction: works for all subjects, or returns the first one that is full.
  #unlessFull<T>(
    subjects: readonly LimitedSubject[],
    work: (transaction: Kysely<Schema>, now: number) => Promise<T>,
  ): Promise<{ readonly result: T } | { readonly full: LimitedSubject }> {
    const now = this.#clock.timestamp()
    return this.#database.transaction().execute(async (transaction) => {
      // Corrected once and stored: recomputed on each read, a failure would count as one of now until the clock catches up.
      await transaction.updateTable('attempt').set({ at: now }).where('at', '>', now).execute()
      await transaction
        .deleteFrom('attempt')
        .where('at', '<=', now - KEPT_SECONDS)
        .execute()
      // Counted for each, also where nothing has failed: the time of an answer would tell that an address was tried before.
      for (const each of subjects) {
        assertShort(each.limit)
        if (await isFull(transaction, each, now)) return { full: each }
      }
      return { result: await work(transaction, now) }
    })
  }
}

// The attempts that stay counted when they were wrong, and those that do when they were right.
function byOutcome(
  ids: readonly number[],
  subjects: readonly LimitedSubject[],
): readonly [failures: readonly number[], right: readonly number[]] {
  const countsRight = (_: number, index: number): boolean => subjects[index]?.countsRight === true
  return [ids.filter((id, index) => !countsRight(id, index)), ids.filter(countsRight)]
}

// Most subjects have no failure.
async function failedAmong(
  database: Kysely<Schema>,
  subjects: readonly LimitedSubject[],
): Promise<ReadonlySet<string>> {
  if (subjects.length === 0) return new Set()
  const names = subjects.map(({ subject }) => subject)
  const rows = await database
    .selectFrom('attempt')
    .select('subject')
    .distinct()
    .where('subject', 'in', names)
    .execute()
  return new Set(rows.map(({ subject }) => subject))
}

function assertShort(limit: AttemptLimit): void {
  const longest = longestLock(limit)
  if (longest > MAX_WINDOW_SECONDS)
    throw new RangeError(`Cannot limit over ${longest} seconds: 12 hours at most`)
}

async function isFull(database: Kysely<Schema>, limited: LimitedSubject, now: number): Promise<boolean> {
  const { limit } = limited
  // What is still being checked counts here, too.
  const failures = failuresThatLock(limited, { now, counts: sql<boolean>`TRUE` })
  const { rows } = await sql<{ readonly locks: number }>`
    SELECT (${failures}) >= ${limit.failures} AS locks`.execute(database)
  if (rows[0]?.locks !== 1) return false
  return (
    longestLock(limit) === limit.windowSeconds ||
    (await secondsLeft(database, limited, { now, judgedUntil: now })) > 0
  )
}

// Number of failures within one window before the last one; 0 when the last one is older than a window. No failures are added
// while a subject is locked, so the last one is the one that locked it.
function failuresThatLock(
  { subject, limit }: LimitedSubject,
  { now, counts }: { readonly now: number; readonly counts: RawBuilder<boolean> },
): RawBuilder<number> {
  return sql<number>`
    SELECT count(*) FROM attempt,
      (SELECT max(min(at, ${now})) AS last FROM attempt WHERE subject = ${subject} AND ${counts}) AS newest
    WHERE subject = ${subject} AND ${counts}
      AND at > newest.last - ${limit.windowSeconds} AND newest.last > ${now - longestLock(limit)}`
}

function judgedBy(time: number): RawBuilder<boolean> {
  return sql<boolean>`(judged = 1 OR at <= ${time})`
}

function longestLock({ windowSeconds, maxLockSeconds = windowSeconds }: AttemptLimit): number {
  return Math.max(windowSeconds, maxLockSeconds)
}

// Only for a subject whose last failure locked it: how long depends on the locks before.
async function secondsLeft(
  database: Kysely<Schema>,
  { subject, limit }: LimitedSubject,
  { now, judgedUntil }: { readonly now: number; readonly judgedUntil: number },
): Promise<number> {
  const rows = await database
    .selectFrom('attempt')
    .select(sql<number>`min(at, ${now})`.as('time'))
    .where('subject', '=', subject)
    .where(judgedBy(judgedUntil))
    .orderBy('time')
    .execute()
  const times = rows.map(({ time }) => time)
  return Math.max((times.at(-1) ?? now) + lockLength(times, limit) - now, 0)
}

import { type Kysely, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { TooManyRequestsException } from 'sallyport/http'
import { type Connection, Database } from '../database/index.ts'
import { narrowed } from '../database/internal.ts'
import type { AttemptTables } from './attempt-table.ts'
import { type Failures, KEPT_SECONDS, type LimitedSubject } from './limit.ts'

const NONE: Failures = { times: [], locks: 0 }

/**
 * Limits on failed attempts, independent of any session: restarting a login resets nothing.
 *
 * A failure is stored **before** anybody is told that it was one, and whether the limits still admit the attempt is asked again when it has
 * been checked. So of a hundred simultaneous guesses no more are answered than of a hundred sequential ones, in any number of processes: the
 * others are refused, whether they were right or wrong. A killed process has told nobody what it did not store.
 *
 * A failure dated in the future, because the clock was set back, counts as one of now.
 */
export class Attempts {
  readonly #database = inject(Database<AttemptTables>)
  readonly #clock = inject(Clock)

  /**
   * Asks whether the limits admit an attempt: before it is checked, which spares the check, and again afterwards, which decides.
   *
   * @param limited The subjects.
   * @param database The transaction to use. Default: none.
   * @throws {TooManyRequestsException} If a subject is locked.
   */
  async assertOpen<Tables extends AttemptTables>(
    limited: readonly LimitedSubject[],
    database?: Connection<Tables>,
  ): Promise<void> {
    refuseLocked(await this.locks(limited, database))
  }

  /**
   * Counts a failure for several subjects: for all of them, or for none if one is locked.
   *
   * @param limited The subjects.
   * @param database The transaction to use. Default: one of its own.
   * @returns Seconds until each of those that are locked from now on is unlocked, by subject.
   * @throws {TooManyRequestsException} If a subject is locked.
   */
  async count<Tables extends AttemptTables>(
    limited: readonly LimitedSubject[],
    database?: Connection<Tables>,
  ): Promise<ReadonlyMap<string, number>> {
    if (limited.length === 0) return new Map()
    if (database === undefined) {
      // Locked ones must not take the write lock.
      await this.assertOpen(limited)
      return this.#database.transaction().execute((transaction) => this.count(limited, transaction))
    }
    return this.#count(limited, narrowed(database))
  }

  /**
   * Counts what is limited whatever comes of it, such as a mail or a hash, and then does it.
   *
   * @param limited The subjects.
   * @param act Does it. Nothing stays counted if it fails, or returns undefined because there was nothing to do.
   * @returns What it returns.
   * @throws {TooManyRequestsException} If a subject is locked; nothing is done then.
   */
  async spend<T extends object | string | number | boolean | undefined>(
    limited: readonly LimitedSubject[],
    act: () => Promise<T>,
  ): Promise<T> {
    await this.count(limited)
    let done: T | undefined
    try {
      done = await act()
      return done
    } finally {
      // If even this fails, it stays counted.
      if (done === undefined) await this.#takeBack(limited).catch(() => undefined)
    }
  }

  /**
   * Resets all failures of subjects: for what proves that the attempts were the owner's, such as a login with every factor.
   *
   * @param limited The subjects.
   * @param database The transaction to use. Default: none.
   */
  async forget<Tables extends AttemptTables>(
    limited: readonly Pick<LimitedSubject, 'subject'>[],
    database?: Connection<Tables>,
  ): Promise<void> {
    await this.#within(database).deleteFrom('attempt').where('subject', 'in', subjectsOf(limited)).execute()
  }

  /**
   * Says which subjects are locked.
   *
   * @param limited The subjects.
   * @param database The transaction to use. Default: none.
   * @returns Seconds until each of those that are locked is unlocked, by subject.
   */
  async locks<Tables extends AttemptTables>(
    limited: readonly LimitedSubject[],
    database?: Connection<Tables>,
  ): Promise<ReadonlyMap<string, number>> {
    return locksAmong(limited, await this.#find(limited, this.#within(database)), this.#clock.timestamp())
  }

  /**
   * Says for how long a subject is locked.
   *
   * @param limited The subject.
   * @returns Seconds until the subject is unlocked; 0 when it is not locked.
   */
  async lockedSeconds(limited: LimitedSubject): Promise<number> {
    return (await this.locks([limited])).get(limited.subject) ?? 0
  }

  /**
   * Deletes what limits nothing any more. It may run at any time, and in several processes at once.
   *
   * @returns How many subjects were deleted.
   */
  async sweep(): Promise<bigint> {
    const end = this.#clock.timestamp() - KEPT_SECONDS
    const gone = await this.#database.deleteFrom('attempt').where('at', '<=', end).executeTakeFirst()
    return gone.numDeletedRows
  }

  async #count(
    limited: readonly LimitedSubject[],
    database: Kysely<AttemptTables>,
  ): Promise<ReadonlyMap<string, number>> {
    const now = this.#clock.timestamp()
    const before = await this.#find(limited, database)
    refuseLocked(locksAmong(limited, before, now))
    const after = new Map(
      limited.map(({ subject, limit }) => [subject, limit.afterFailure(before.get(subject) ?? NONE, now)]),
    )
    const rows = [...after].map(([subject, { times, locks }]) => ({
      subject,
      times: JSON.stringify(times),
      locks,
      at: now,
    }))
    await database
      .insertInto('attempt')
      .values(rows)
      .onConflict((conflict) =>
        conflict.column('subject').doUpdateSet((row) => ({
          times: row.ref('excluded.times'),
          locks: row.ref('excluded.locks'),
          at: row.ref('excluded.at'),
        })),
      )
      .execute()
    return locksAmong(limited, after, now)
  }

  #within<Tables extends AttemptTables>(database: Connection<Tables> | undefined): Kysely<AttemptTables> {
    return database === undefined ? this.#database : narrowed(database)
  }

  // Most subjects have no failure.
  async #find(
    limited: readonly LimitedSubject[],
    database: Kysely<AttemptTables>,
  ): Promise<ReadonlyMap<string, Failures>> {
    if (limited.length === 0) return new Map()
    const now = this.#clock.timestamp()
    const named = sql.join(subjectsOf(limited))
    const { rows } = await sql<Row>`
      SELECT subject, times, locks, at FROM attempt WHERE subject IN (${named})`.execute(database)
    const ahead = rows.filter(({ at }) => at > now)
    if (ahead.length > 0) {
      for (const row of ahead) await backdate(database, row, now)
      return this.#find(limited, database)
    }
    return new Map(rows.map(({ subject, times, locks }) => [subject, { times: timesOf(times), locks }]))
  }

  async #takeBack(limited: readonly LimitedSubject[]): Promise<void> {
    const subjects = subjectsOf(limited)
    await this.#database.transaction().execute(async (transaction) => {
      const counted = transaction.selectFrom('attempt').select(['subject', 'times'])
      for (const { subject, times } of await counted.where('subject', 'in', subjects).execute())
        await transaction
          .updateTable('attempt')
          .set({ times: JSON.stringify(timesOf(times).slice(0, -1)) })
          .where('subject', '=', subject)
          .execute()
    })
  }
}

interface Row {
  readonly subject: string
  readonly times: string
  readonly locks: number
  readonly at: number
}

/**
 * Reads the column `times`.
 *
 * @param stored Its value.
 * @returns When the failures of a subject happened, as Unix timestamps in ascending order.
 */
export function timesOf(stored: string): readonly number[] {
  return JSON.parse(stored) as number[]
}

// Corrected once and stored: recomputed on each read, a failure would count as one of now until the clock catches up. What another
// process has stored meanwhile stays.
async function backdate(
  database: Kysely<AttemptTables>,
  { subject, times }: Row,
  now: number,
): Promise<void> {
  await database
    .updateTable('attempt')
    .set({ at: now, times: JSON.stringify(timesOf(times).map((time) => Math.min(time, now))) })
    .where('subject', '=', subject)
    .where('times', '=', times)
    .where('at', '>', now)
    .execute()
}

function subjectsOf(limited: readonly Pick<LimitedSubject, 'subject'>[]): readonly string[] {
  return limited.map(({ subject }) => subject)
}

function locksAmong(
  limited: readonly LimitedSubject[],
  failed: ReadonlyMap<string, Failures>,
  now: number,
): ReadonlyMap<string, number> {
  const waits = limited.map(
    ({ subject, limit }) => [subject, limit.lockedSeconds(failed.get(subject) ?? NONE, now)] as const,
  )
  return new Map(waits.filter(([, seconds]) => seconds > 0))
}

function refuseLocked(waits: ReadonlyMap<string, number>): void {
  if (waits.size > 0) throw new TooManyRequestsException(Math.max(...waits.values()))
}

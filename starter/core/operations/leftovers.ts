import { sql } from 'kysely'
import { type App, Clock, inject } from 'sallyport'
import type { HourlyTask } from 'sallyport-app/boot'
import { Attempts } from 'sallyport-app/limits'
import { MailQueue } from 'sallyport-app/mail'
import { Challenges } from '../challenges/challenges.ts'
import { Database } from '../database/database.ts'
import { KnownClients } from '../login/known-clients.ts'
import { Parts } from '../part.ts'

/** How long something is kept after its end: long enough to see in the database what became of it. */
export const LEFT_SECONDS: number = 30 * 24 * 60 * 60

/** Tables whose rows end with `expires_at`, and open, show or count for nothing afterwards. */
export const EXPIRING = ['confirmation', 'password_reset'] as const

/**
 * Deletes what has ended: links that were never used, recoveries and requests that are over, secrets that were never
 * proven. Most of them are also deleted when the next one of their kind is made, which in a quiet installation may be never.
 */
export class Leftovers {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #parts = inject(Parts)
  readonly #swept = [inject(Attempts), inject(Challenges), inject(KnownClients), inject(MailQueue)]

  /** Deletes what is over. It may run at any time, and in several processes at once. */
  async delete(): Promise<number> {
    const now = this.#clock.timestamp()
    const left = now - LEFT_SECONDS
    const expiring = [...EXPIRING, ...this.#parts.all.flatMap(({ expiring: ofPart = [] }) => ofPart)]
    const ended = [
      ...expiring.map((table) => sql`${sql.table(table)} WHERE expires_at <= ${left}`),
      sql`factor WHERE state = 'unverified' AND created_at <= ${left}`,
    ]
    let count = 0n
    for (const rows of ended) {
      const { numAffectedRows = 0n } = await sql`DELETE FROM ${rows}`.execute(this.#database)
      count += numAffectedRows
    }
    for (const service of this.#swept) count += await service.sweep()
    return Number(count)
  }
}

/** @returns What every process does each hour. */
export function hourlyTasks(app: App): readonly HourlyTask[] {
  const ofParts = app.get(Parts).all.flatMap(({ hourly = [] }) => hourly)
  return [
    { name: 'leftovers', run: () => app.get(Leftovers).delete() },
    ...ofParts.map(({ name, run }) => ({ name, run: () => run(app) })),
  ]
}

import { sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Parts } from '../part.ts'
import { Database } from '../database/database.ts'
import { FORMER_NAME_SECONDS } from '../accounts/users.ts'
import { Challenges } from '../challenges/challenges.ts'
import { Attempts } from '../limits/attempts.ts'
import { KnownClients } from '../login/known-clients.ts'
import { MAIL_PASSWORD_SECONDS } from '../accounts/mail-password.ts'

const DAY_SECONDS = 24 * 60 * 60

/** How long something is kept after its end: long enough to see in the database what became of it. */
export const LEFT_SECONDS: number = 30 * DAY_SECONDS

/** Tables whose rows end with `expires_at`, and open, show or count for nothing afterwards. */
export const EXPIRING = ['confirmation', 'password_reset'] as const

/**
 * Deletes what has ended: links that were never used, recoveries and requests that are over, secrets that were never proven, former
 * names. Most of them are also deleted when the next one of their kind is made, which in a quiet installation may be never.
 */
export class Leftovers {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #parts = inject(Parts)
  readonly #attempts = inject(Attempts)
  readonly #challenges = inject(Challenges)
  readonly #clients = inject(KnownClients)

  /**
   * Deletes what ended 30 days ago or earlier, and former names of the same age. It may run at any time, and in several processes at once.
   *
   * @returns How many rows were deleted.
   */
  async delete(): Promise<number> {
    const now = this.#clock.timestamp()
    const end = now - LEFT_SECONDS
    let count = 0n
    const ofParts = this.#parts.all.flatMap(({ expiring = [] }) => expiring)
    for (const table of [...EXPIRING, ...ofParts])
      count +=
        (await sql`DELETE FROM ${sql.table(table)} WHERE expires_at <= ${end}`.execute(this.#database))
          .numAffectedRows ?? 0n
    const unproven = await this.#database
      .deleteFrom('factor')
      .where('state', '=', 'unverified')
      .where('created_at', '<=', end)
      .executeTakeFirst()
    // It makes a recovery wait longer until then.
    const mailed = await this.#database
      .deleteFrom('mail_password')
      .where('set_at', '<=', end - MAIL_PASSWORD_SECONDS)
      .executeTakeFirst()
    const former = await this.#database
      .deleteFrom('former_name')
      .where('ended_at', '<=', now - FORMER_NAME_SECONDS)
      .executeTakeFirst()
    count += (await this.#attempts.sweep()) + (await this.#challenges.sweep()) + (await this.#clients.sweep())
    return Number(count + unproven.numDeletedRows + mailed.numDeletedRows + former.numDeletedRows)
  }
}

import { type Kysely, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { CHALLENGE_ATTEMPTS } from '../limits/limits.ts'

// Rows are kept longer than any challenge lives. After that they limit nothing.
const KEPT_SECONDS = 3600

/**
 * The attempts for one pending login, and its end. They are stored with the accounts and not in `_2fa`, so restoring an older
 * copy of a session gains nothing. The last parameter is the transaction to use. Default: none.
 */
export class Challenges {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  /**
   * Counts an attempt for a challenge, before the code is checked. Returns how many are left after this one; undefined when none was left,
   * or the challenge or the account has ended.
   */
  async reserve(
    id: string,
    accountId: string,
    database: Kysely<Schema> = this.#database,
  ): Promise<number | undefined> {
    const { rows } = await sql<{ readonly attempts: number }>`
      INSERT INTO challenge (id, account_id, attempts, created_at)
      SELECT ${id}, id, 1, ${this.#clock.timestamp()} FROM account WHERE id = ${accountId}
      ON CONFLICT (id) DO UPDATE SET attempts = challenge.attempts + 1
        WHERE challenge.attempts < ${CHALLENGE_ATTEMPTS} AND challenge.ended_at IS NULL
      RETURNING attempts`.execute(database)
    const [row] = rows
    return row === undefined ? undefined : CHALLENGE_ATTEMPTS - row.attempts
  }

  /** Opens a challenge that counts no attempts, unless it is open already, or its account was erased. */
  async open(id: string, accountId: string, database: Kysely<Schema> = this.#database): Promise<void> {
    await sql`INSERT INTO challenge (id, account_id, attempts, created_at)
      SELECT ${id}, id, 0, ${this.#clock.timestamp()} FROM account WHERE id = ${accountId}
      ON CONFLICT (id) DO NOTHING`.execute(database)
  }

  /** @returns Whether it was opened and has not ended: no code was accepted for it. */
  async isOpen(id: string, database: Kysely<Schema> = this.#database): Promise<boolean> {
    const row = await database
      .selectFrom('challenge')
      .select('id')
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return row !== undefined
  }

  /** @returns Whether this call ended it: of several callers, one does. */
  async end(id: string, database: Kysely<Schema> = this.#database): Promise<boolean> {
    const ended = await database
      .updateTable('challenge')
      .set({ ended_at: this.#clock.timestamp() })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .executeTakeFirst()
    return ended.numUpdatedRows === 1n
  }

  /** @returns How many were deleted, which limit nothing any more. */
  async sweep(): Promise<bigint> {
    const now = this.#clock.timestamp()
    // If the clock was set back, challenges dated in the future count from now on and keep their attempts.
    await this.#database
      .updateTable('challenge')
      .set({ created_at: now })
      .where('created_at', '>', now)
      .execute()
    const gone = await this.#database
      .deleteFrom('challenge')
      .where('created_at', '<=', now - KEPT_SECONDS)
      .executeTakeFirst()
    return gone.numDeletedRows
  }
}

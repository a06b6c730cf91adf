import { type Kysely, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'
import { CHALLENGE_ATTEMPTS } from '../limits/limits.ts'

// Rows are kept longer than any challenge lives. After that they limit nothing.
const KEPT_SECONDS = 3600

/**
 * The attempts for one pending login, and its end. They are stored with the accounts and not in `_2fa`, so restoring an older
 * copy of a session gains nothing.
 */
export class Challenges {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  /**
   * Counts an attempt for a challenge, before the code is checked.
   *
   * @param database The transaction that checks the code, too. Default: one of its own.
   * @returns Number of attempts left after this one; undefined when none was left, or the challenge or the account has ended.
   */
  async reserve(
    id: string,
    accountId: string,
    database: Kysely<Schema> = this.#database,
  ): Promise<number | undefined> {
    const now = this.#clock.timestamp()
    const { rows } = await sql<{ readonly attempts: number }>`
      INSERT INTO challenge (id, account_id, attempts, created_at)
      SELECT ${id}, id, 1, ${now} FROM account WHERE id = ${accountId}
      ON CONFLICT (id) DO UPDATE SET attempts = attempts + 1 WHERE attempts < ${CHALLENGE_ATTEMPTS} AND ended_at IS NULL
      RETURNING attempts`.execute(database)
    const [row] = rows
    return row === undefined ? undefined : CHALLENGE_ATTEMPTS - row.attempts
  }

  /**
   * Deletes what limits nothing any more.
   *
   * @returns How many challenges that were.
   */
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

  /** @returns Whether a code was accepted for it, or it was cancelled or given up: no other code is. */
  async hasEnded(id: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('challenge')
      .select('id')
      .where('id', '=', id)
      .where('ended_at', 'is not', null)
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Gives a challenge up, unless a code was accepted for it: of both, one happens.
   *
   * @returns Whether this call has given it up.
   */
  async giveUp(id: string, accountId: string): Promise<boolean> {
    await this.open(id, accountId)
    return this.ending(id)(this.#database)
  }

  /** Opens a challenge that counts no attempts. One that was opened before stays as it is. */
  async open(id: string, accountId: string): Promise<void> {
    await openChallenge(this.#database, { id, accountId, now: this.#clock.timestamp() })
  }

  /**
   * @param database The transaction that depends on it. Default: none does.
   * @returns Whether it was opened and has not ended.
   */
  async isOpen(id: string, database: Kysely<Schema> = this.#database): Promise<boolean> {
    return isOpen(database, id)
  }

  /**
   * Ends a challenge that has changed nothing: it is cancelled. What changes the credentials asks in its transaction whether the
   * challenge is open, so of the change and this call one happens. The row count decides.
   *
   * @returns Whether this call ended it; false when it had ended, or the credentials have changed.
   */
  async cancel(id: string, credentialVersion: number): Promise<boolean> {
    const cancelled = await this.#database
      .updateTable('challenge')
      .set({ ended_at: this.#clock.timestamp() })
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .where((where) =>
        where.exists(
          where
            .selectFrom('account')
            .select('account.id')
            .whereRef('account.id', '=', 'challenge.account_id')
            .where('account.credential_version', '=', credentialVersion),
        ),
      )
      .executeTakeFirst()
    return cancelled.numUpdatedRows === 1n
  }

  /** @returns Ends it in a transaction: true for one caller only. */
  ending(id: string): (database: Kysely<Schema>) => Promise<boolean> {
    return (database) => endChallenge(database, id, this.#clock.timestamp())
  }

  /** Takes back an attempt whose code was not checked. */
  async takeBack(id: string): Promise<void> {
    await this.#database
      .updateTable('challenge')
      .set((update) => ({ attempts: update('attempts', '-', 1) }))
      .where('id', '=', id)
      .where('ended_at', 'is', null)
      .execute()
  }
}

/**
 * Opens a challenge that counts no attempts. One that was opened before stays as it is. For an account that has been erased meanwhile there is none.
 *
 * @param challenge Its identifier, the account that it belongs to, and a Unix timestamp in seconds.
 */
export async function openChallenge(
  database: Kysely<Schema>,
  { id, accountId, now }: { readonly id: string; readonly accountId: string; readonly now: number },
): Promise<void> {
  await database
    .insertInto('challenge')
    .columns(['id', 'account_id', 'attempts', 'created_at'])
    .expression(ofAccount(database, { id, accountId, now, attempts: 0 }))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** @returns Whether it was opened and has not ended. */
export async function isOpen(database: Kysely<Schema>, id: string): Promise<boolean> {
  const row = await database
    .selectFrom('challenge')
    .select('id')
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Ends an open challenge. The row count decides: of several callers, one ends it.
 *
 * @returns Whether this call ended it.
 */
export async function endChallenge(database: Kysely<Schema>, id: string, now: number): Promise<boolean> {
  const ended = await database
    .updateTable('challenge')
    .set({ ended_at: now })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return ended.numUpdatedRows === 1n
}

// A challenge of an account, if there is one: it may have been erased since it was read.
function ofAccount(
  database: Kysely<Schema>,
  challenge: {
    readonly id: string
    readonly accountId: string
    readonly now: number
    readonly attempts: number
  },
) {
  return database
    .selectFrom('account')
    .select([
      sql<string>`${challenge.id}`.as('id'),
      'id as account_id',
      sql<number>`${challenge.attempts}`.as('attempts'),
      sql<number>`${challenge.now}`.as('created_at'),
    ])
    .where('id', '=', challenge.accountId)
}

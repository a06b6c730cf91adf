import { type Kysely, sql } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../../database/database.ts'
import { changesOf, GIVEN, GIVEN_NUMBER, queries, rowsOf } from '../../database/built-queries.ts'
import type { Schema } from '../../database/schema.ts'
import { CHALLENGE_ATTEMPTS } from '../limits/limits.ts'

// Rows are kept longer than any challenge lives. After that they limit nothing.
const KEPT_SECONDS = 3600

const RESERVE = queries
  .insertInto('challenge')
  .columns(['id', 'account_id', 'attempts', 'created_at'])
  .expression(ofAccount(1))
  .onConflict((conflict) =>
    conflict
      .column('id')
      .doUpdateSet((update) => ({ attempts: update('challenge.attempts', '+', sql.lit(1)) }))
      .where('challenge.attempts', '<', sql.lit(CHALLENGE_ATTEMPTS))
      .where('challenge.ended_at', 'is', null),
  )
  .returning('attempts')
  .compile()
const OPEN = queries
  .insertInto('challenge')
  .columns(['id', 'account_id', 'attempts', 'created_at'])
  .expression(ofAccount(0))
  .onConflict((conflict) => conflict.column('id').doNothing())
  .compile()
const END = queries
  .updateTable('challenge')
  .set({ ended_at: GIVEN_NUMBER })
  .where('id', '=', GIVEN)
  .where('ended_at', 'is', null)
  .compile()
const CANCEL = queries
  .updateTable('challenge')
  .set({ ended_at: GIVEN_NUMBER })
  .where('id', '=', GIVEN)
  .where('ended_at', 'is', null)
  .where((where) =>
    where.exists(
      where
        .selectFrom('account')
        .select('account.id')
        .whereRef('account.id', '=', 'challenge.account_id')
        .where('account.credential_version', '=', GIVEN_NUMBER),
    ),
  )
  .compile()
// More than any number of codes: ended, and without a code that was accepted.
const GIVEN_UP = CHALLENGE_ATTEMPTS + 1
const GIVE_UP = queries
  .insertInto('challenge')
  .columns(['id', 'account_id', 'attempts', 'created_at', 'ended_at'])
  .expression(
    queries
      .selectFrom('account')
      .select([
        sql<string>`${GIVEN}`.as('id'),
        'id as account_id',
        sql.lit(GIVEN_UP).as('attempts'),
        sql<number>`${GIVEN_NUMBER}`.as('created_at'),
        sql<number>`${GIVEN_NUMBER}`.as('ended_at'),
      ])
      .where('id', '=', GIVEN),
  )
  .onConflict((conflict) =>
    conflict
      .column('id')
      .doUpdateSet((update) => ({ attempts: sql.lit(GIVEN_UP), ended_at: update.ref('excluded.ended_at') }))
      .where('challenge.ended_at', 'is', null),
  )
  .compile()
const IS_OPEN = queries
  .selectFrom('challenge')
  .select('id')
  .where('id', '=', GIVEN)
  .where('ended_at', 'is', null)
  .compile()
const CORRECT = queries
  .updateTable('challenge')
  .set({ created_at: GIVEN_NUMBER })
  .where('created_at', '>', GIVEN_NUMBER)
  .compile()
const SWEEP = queries.deleteFrom('challenge').where('created_at', '<=', GIVEN_NUMBER).compile()

/**
 * The attempts for one pending login, and its end. They are stored with the accounts and not in `_2fa`, so restoring an older
 * copy of a session gains nothing.
 */
export class Challenges {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  /**
   * Counts an attempt for a challenge, in one transaction, before the code is checked.
   *
   * @param id Identifier of the challenge.
   * @param accountId Account that signs in.
   * @param database The transaction that checks the code, too. Default: one of its own.
   * @returns Number of attempts left after this one; undefined when none was left, or the challenge or the account has ended.
   */
  async reserve(id: string, accountId: string, database?: Kysely<Schema>): Promise<number | undefined> {
    const now = this.#clock.timestamp()
    const count = async (transaction: Kysely<Schema>): Promise<number | undefined> => {
      await sweep(transaction, now)
      const [row] = await rowsOf(transaction, RESERVE, [id, now, accountId])
      return row === undefined ? undefined : CHALLENGE_ATTEMPTS - row.attempts
    }
    return database === undefined ? this.#database.transaction().execute(count) : count(database)
  }

  /**
   * @param id Identifier of the challenge.
   * @returns Whether a code was accepted for it, or it was cancelled or given up: no other code is.
   */
  async hasEnded(id: string): Promise<boolean> {
    return (await this.#endOf(id)) !== undefined
  }

  /**
   * @param id Identifier of the challenge.
   * @returns Whether a code was accepted for it.
   */
  async isCompleted(id: string): Promise<boolean> {
    return (await this.#endOf(id)) === 'completed'
  }

  /**
   * Gives a challenge up, unless a code was accepted for it: of both, one happens.
   *
   * @param id Identifier of the challenge.
   * @param accountId Account that it belongs to.
   * @returns Whether this call has given it up.
   */
  async giveUp(id: string, accountId: string): Promise<boolean> {
    const now = this.#clock.timestamp()
    return (await changesOf(this.#database, GIVE_UP, [id, now, now, accountId])) === 1n
  }

  async #endOf(id: string): Promise<'completed' | 'given up' | undefined> {
    const row = await this.#database
      .selectFrom('challenge')
      .select('attempts')
      .where('id', '=', id)
      .where('ended_at', 'is not', null)
      .executeTakeFirst()
    if (row === undefined) return undefined
    return row.attempts === GIVEN_UP ? 'given up' : 'completed'
  }

  /**
   * @param id Identifier of the challenge.
   * @returns Whether a code was accepted for it, or too many were wrong.
   */
  async isOver(id: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('challenge')
      .select('id')
      .where('id', '=', id)
      .where((where) =>
        where.or([where('ended_at', 'is not', null), where('attempts', '>=', CHALLENGE_ATTEMPTS)]),
      )
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Opens a challenge that counts no attempts. One that was opened before stays as it is.
   *
   * @param id Identifier of the challenge.
   * @param accountId Account that it belongs to.
   */
  async open(id: string, accountId: string): Promise<void> {
    await openChallenge(this.#database, { id, accountId, now: this.#clock.timestamp() })
  }

  /**
   * @param id Identifier of a challenge.
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
   * @param id Identifier of an enrollment.
   * @param credentialVersion Version of the credentials before any change of it.
   * @returns Whether this call ended it; false when it had ended, or the credentials have changed.
   */
  async cancel(id: string, credentialVersion: number): Promise<boolean> {
    const cancelled = await changesOf(this.#database, CANCEL, [
      this.#clock.timestamp(),
      id,
      credentialVersion,
    ])
    return cancelled === 1n
  }

  /**
   * @param id Identifier of a challenge.
   * @returns Ends it in a transaction: true for one caller only.
   */
  ending(id: string): (database: Kysely<Schema>) => Promise<boolean> {
    return (database) => endChallenge(database, id, this.#clock.timestamp())
  }

  /**
   * Takes back an attempt whose code was not checked.
   *
   * @param id Identifier of the challenge.
   */
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
 * @param database The transaction.
 * @param challenge Its identifier, the account that it belongs to, and a Unix timestamp in seconds.
 */
export async function openChallenge(
  database: Kysely<Schema>,
  { id, accountId, now }: { readonly id: string; readonly accountId: string; readonly now: number },
): Promise<void> {
  await changesOf(database, OPEN, [id, now, accountId])
}

/**
 * @param database The database, or the transaction that depends on it.
 * @param id Identifier of a challenge.
 * @returns Whether it was opened and has not ended.
 */
export async function isOpen(database: Kysely<Schema>, id: string): Promise<boolean> {
  return (await rowsOf(database, IS_OPEN, [id])).length === 1
}

/**
 * Ends an open challenge. The row count decides: of several callers, one ends it.
 *
 * @param database The transaction that uses up the last proof.
 * @param id Identifier of the challenge.
 * @param now Unix timestamp in seconds.
 * @returns Whether this call ended it.
 */
export async function endChallenge(database: Kysely<Schema>, id: string, now: number): Promise<boolean> {
  return (await changesOf(database, END, [now, id])) === 1n
}

// A challenge of an account, if there is one: it may have been erased since it was read.
function ofAccount(attempts: number) {
  return queries
    .selectFrom('account')
    .select([
      sql<string>`${GIVEN}`.as('id'),
      'id as account_id',
      sql.lit(attempts).as('attempts'),
      sql<number>`${GIVEN_NUMBER}`.as('created_at'),
    ])
    .where('id', '=', GIVEN)
}

// If the clock was set back, challenges dated in the future count from now on and keep their attempts.
async function sweep(database: Kysely<Schema>, now: number): Promise<void> {
  await changesOf(database, CORRECT, [now, now])
  await changesOf(database, SWEEP, [now - KEPT_SECONDS])
}

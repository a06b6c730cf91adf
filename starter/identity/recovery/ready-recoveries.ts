import type { Kysely } from 'kysely'
import type { Clock } from 'sallyport'
import { allOrNothing } from '../../database/all-or-nothing.ts'
import type { Schema } from '../../database/schema.ts'
import { createLink, hasPresentVersion } from './recovery-rows.ts'

// How many one run takes: the next one goes on.
const MAX_TAKEN = 1000

/** A recovery whose waiting time is over, and whose owner is to be told. */
export interface ReadyRecovery {
  /** Address of the account. */
  readonly email: string
  /** Language of its mails. */
  readonly language: string
  /** Unix timestamp at which the new factor must be set up. */
  readonly expiresAt: number
  /** Token of a further link that stops it. */
  readonly cancel: string
}

/** Recoveries of lost factors whose waiting time is over. */
export class ReadyRecoveries {
  readonly #database: Kysely<Schema>
  readonly #clock: Clock

  /**
   * @param services `database` of the accounts and the `clock`.
   */
  constructor(services: { readonly database: Kysely<Schema>; readonly clock: Clock }) {
    this.#database = services.database
    this.#clock = services.clock
  }

  /**
   * Takes those whose owners were not told, each once, whichever process asks.
   *
   * @returns Each, when it is taken.
   */
  async *take(): AsyncGenerator<ReadyRecovery> {
    const now = this.#clock.timestamp()
    const ready = await this.#database
      .selectFrom('factor_recovery')
      .innerJoin('account', 'account.id', 'factor_recovery.account_id')
      .select(['factor_recovery.id', 'factor_recovery.expires_at', 'account.email', 'account.language'])
      .where('ended_at', 'is', null)
      .where('told_at', 'is', null)
      .where('ready_at', '<=', now)
      .where('expires_at', '>', now)
      .limit(MAX_TAKEN)
      .execute()
    for (const { id, email, language, expires_at: expiresAt } of ready) {
      const cancel = await this.#take(id, now)
      if (cancel !== undefined) yield { email, language, expiresAt, cancel }
    }
  }

  // Decides: it was stopped, the credentials have changed, or another process is faster.
  #take(id: string, now: number): Promise<string | undefined> {
    return allOrNothing(this.#database, async (transaction) => {
      const taken = await transaction
        .updateTable('factor_recovery')
        .set({ told_at: now })
        .where('id', '=', id)
        .where('told_at', 'is', null)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', now)
        .where(hasPresentVersion)
        .executeTakeFirst()
      return taken.numUpdatedRows === 1n ? createLink(transaction, id, 'cancel') : undefined
    })
  }
}

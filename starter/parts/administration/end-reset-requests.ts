import { type Kysely, sql } from 'kysely'
import { Clock, type HttpContext, inject } from 'sallyport'
import type { Completion, SigningIn, SignInStep } from '../../core/sign-in-step.ts'
import type { Schema } from '../../core/database/schema.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'

/** Who signs in with a factor has not lost it: that ends a request to reset the factors. */
export class EndingSignIn implements SignInStep {
  readonly #kinds = inject(FactorKinds)
  readonly #clock = inject(Clock)

  /** @returns What ends its request. */
  complete(_context: HttpContext, { identifier }: SigningIn): Completion {
    return {
      record: async (transaction, kind) => {
        if (this.#kinds.endsLoss(kind))
          await endResetRequests(transaction, identifier, this.#clock.timestamp())
      },
    }
  }
}

/**
 * Ends the request to reset the factors of an account that waits for a second person: its owner holds what was said to be lost, or the
 * credentials have changed since it was made. A later approval would remove factors that nobody has asked about.
 *
 * @param database The transaction that records the login, or changes what proves the account.
 * @param now Unix timestamp in seconds. Default: what has expired was found so before, by the task of every hour at the latest.
 */
export async function endResetRequests(database: Kysely<Schema>, accountId: string, now = 0): Promise<void> {
  // Nobody has decided it, so nobody is recorded as having done so. Without a time it has not expired either, but ended by this. One
  // that had expired and was not looked at since keeps that as its end.
  await database
    .updateTable('factor_reset')
    .set({
      state: 'cancelled',
      decided_at: sql<number | null>`CASE WHEN expires_at <= ${now} THEN expires_at END`,
    })
    .where('account_id', '=', accountId)
    .where('state', '=', sql.lit('requested'))
    .execute()
}

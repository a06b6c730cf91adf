import type { Transaction } from 'kysely'
import { type HttpContext, inject } from 'sallyport'
import type { Schema } from '../../core/database/schema.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'
import type { Completion, SigningIn, SignInStep } from '../../core/sign-in-step.ts'

/** Who signs in with a factor has not lost it: that ends a request to reset the factors. */
export class EndingSignIn implements SignInStep {
  readonly #kinds = inject(FactorKinds)

  complete(_context: HttpContext, { identifier }: SigningIn): Completion {
    return {
      record: async (transaction, kind) => {
        if (this.#kinds.endsLoss(kind)) await endResetRequests(transaction, identifier)
      },
    }
  }
}

/**
 * Ends the request to reset the factors of an account that waits for a second person: its owner holds what was said to be lost, or the
 * credentials have changed since it was made. A later approval would remove factors that nobody has asked about.
 */
export async function endResetRequests(transaction: Transaction<Schema>, accountId: string): Promise<void> {
  // Nobody has decided it, so nobody is recorded as having done so.
  await transaction
    .updateTable('factor_reset')
    .set({ state: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('state', '=', 'requested')
    .execute()
}

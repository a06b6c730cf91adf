import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { FactorDemand, FactorDemands } from '../../core/factors/factor-demands.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'

/** An account whose factors were reset sets up a new one at its next login, so that it never asks for the password only. */
export class NewFactors implements FactorDemands {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #kinds = inject(FactorKinds)

  /** @returns The new factor that it must set up. */
  async ofNone(accountId: string): Promise<readonly FactorDemand[]> {
    const row = await this.#database
      .selectFrom('new_factor')
      .select('required_at')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (row === undefined) return []
    // In force since it was written: a clock that was set back since must not open the account to the password alone.
    return [{ from: Math.min(row.required_at, this.#clock.timestamp()), kinds: this.#kinds.held }]
  }

  async fulfilled(transaction: Transaction<Schema>, accountId: string): Promise<void> {
    await transaction.deleteFrom('new_factor').where('account_id', '=', accountId).execute()
  }
}

/** Requires one from now on. */
export async function requireNewFactor(
  transaction: Transaction<Schema>,
  accountId: string,
  now: number,
): Promise<void> {
  await transaction
    .insertInto('new_factor')
    .values({ account_id: accountId, required_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

import type { ExpressionBuilder, Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { DemandColumns, FactorDemand, FactorDemands } from '../../core/factors/factor-demands.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'

/** An account whose factors were reset sets up a new one at its next login, so that it never asks for the password only. */
export class NewFactors implements FactorDemands {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #kinds = inject(FactorKinds)

  async require(transaction: Transaction<Schema>, accountId: string): Promise<void> {
    await transaction
      .insertInto('new_factor')
      .values({ account_id: accountId, required_at: this.#clock.timestamp() })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

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

  /** @returns Whether a new factor is required, and since when. */
  columns(account: ExpressionBuilder<Schema, 'account'>): DemandColumns {
    const row = account
      .selectFrom('new_factor')
      .select('required_at')
      .whereRef('new_factor.account_id', '=', 'account.id')
    return { isBound: account.exists(row), from: row.$asScalar() }
  }
}

import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely'
import type { Schema } from './database/schema.ts'
import type { HeldKind } from './factors/factor-kinds.ts'
import type { AccountRights } from './account-rights.ts'

/** A second factor that an account must hold. */
export interface FactorDemand {
  /** Unix timestamp from which a login needs it. */
  readonly from: number
  /** The kinds that fulfill it. */
  readonly kinds: readonly HeldKind[]
  /** Fixes, for an account without such a factor, when a login needs one, as a Unix timestamp. Default: as `from` says. */
  readonly fix?: () => Promise<number>
}

/** The same in a query of accounts. */
export interface DemandColumns {
  /** Whether the account must hold a factor. */
  readonly isBound: Expression<SqlBool>
  /** Unix timestamp that is fixed for it; null for none. */
  readonly from: Expression<number | null>
}

/** Says which accounts must hold a second factor. Its class is a service. By default none must. */
export class FactorDemands {
  /** Permissions that it asks about. */
  readonly holders: readonly string[] = []

  /** @returns What it must hold, whether or not it does. */
  of(_identity: AccountRights): readonly FactorDemand[] {
    return []
  }

  /** @returns What it must hold because it holds none. */
  async ofNone(_accountId: string): Promise<readonly FactorDemand[]> {
    return []
  }

  /** Notes that the account holds a factor from now on. */
  async fulfilled(_transaction: Kysely<Schema>, _accountId: string): Promise<void> {}

  /** @returns What it says of them; undefined for nothing. */
  columns(_account: ExpressionBuilder<Schema, 'account'>): DemandColumns | undefined {
    return undefined
  }
}

import type { ExpressionBuilder } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { AccountRights } from '../../core/account-rights.ts'
import type {
  DemandColumns,
  FactorDemand,
  FactorDemands,
  FactorRule,
} from '../../core/factors/factor-demands.ts'
import { Parts } from '../../core/part.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'
import { Settings } from '../../core/settings.ts'
import { fixDeadline } from './deadlines.ts'

// Holders of a rule for all accounts.
const EVERYONE = 'everyone'

/** The rules: who must hold which factor, from when. */
export class RuleDemands implements FactorDemands {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)
  readonly #kinds = inject(FactorKinds)
  readonly #rules: readonly FactorRule[] =
    inject(Settings).factorRules ?? inject(Parts).all.flatMap(({ factorRules = [] }) => factorRules)

  readonly holders: readonly string[] = this.#rules.map(({ holders }) => holders)

  /** @returns What the rules for it demand. The deadline is fixed when the account is first seen without it. */
  of({ principal: { id }, permissions }: AccountRights): readonly FactorDemand[] {
    return this.#rules
      .filter(({ holders }) => holders === EVERYONE || permissions.includes(holders))
      .map(({ holders: rule, from, graceSeconds, kinds = this.#kinds.held }) => ({
        from,
        kinds,
        fix: () =>
          fixDeadline(this.#database, { accountId: id, rule, at: this.#clock.timestamp() + graceSeconds }),
      }))
  }

  /** @returns Whether a rule is for it, and its first deadline. */
  columns(account: ExpressionBuilder<Schema, 'account'>): DemandColumns {
    const isHolder = account
      .selectFrom('account_permission')
      .select('permission')
      .whereRef('account_permission.account_id', '=', 'account.id')
      .where('permission', 'in', ['', ...this.holders])
    const from = account
      .selectFrom('factor_deadline')
      .select((deadline) => deadline.fn.min<number | null>('at').as('at'))
      .whereRef('factor_deadline.account_id', '=', 'account.id')
    const isBound = account.or([account.exists(isHolder), account.lit(this.holders.includes(EVERYONE))])
    return { isBound, from: from.$asScalar() }
  }
}

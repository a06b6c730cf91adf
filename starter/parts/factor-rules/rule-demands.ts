import { Clock, inject } from 'sallyport'
import type { AccountRights } from '../../core/account-rights.ts'
import { Database } from '../../core/database/database.ts'
import type { FactorDemand, FactorDemands, FactorRule } from '../../core/factors/factor-demands.ts'
import { FactorKinds } from '../../core/factors/known-kinds.ts'
import { Parts } from '../../core/part.ts'
import { Settings } from '../../core/settings.ts'

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

  /** @throws {TypeError} If nobody could set up what a rule demands. */
  constructor() {
    for (const { kinds } of this.#rules)
      if (kinds?.some((kind) => this.#kinds.find(kind)?.setUp !== undefined) === false)
        throw new TypeError(
          `Cannot demand a factor of the kinds ${kinds.join(', ')}: name one whose part has a page that sets it up (setUp)`,
        )
  }

  /** @returns What the rules for it demand. The deadline is fixed when the account is first seen without it. */
  of({ principal: { id }, permissions }: AccountRights): readonly FactorDemand[] {
    return this.#rules
      .filter(({ holders }) => holders === EVERYONE || permissions.includes(holders))
      .map(({ holders, from, graceSeconds, kinds = this.#kinds.held }) => ({
        from,
        kinds,
        fix: () => this.#fixDeadline(id, holders, this.#clock.timestamp() + graceSeconds),
      }))
  }

  // An earlier deadline stays: neither a login, nor a permission that was withdrawn and granted again, nor a reset, nor a clock that was
  // ahead makes it later.
  async #fixDeadline(accountId: string, rule: string, at: number): Promise<number> {
    await this.#database
      .insertInto('factor_deadline')
      .values({ account_id: accountId, rule, at })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'rule']).doUpdateSet({ at }).where('factor_deadline.at', '>', at),
      )
      .execute()
    const row = await this.#database
      .selectFrom('factor_deadline')
      .select('at')
      .where('account_id', '=', accountId)
      .where('rule', '=', rule)
      .executeTakeFirst()
    return row?.at ?? at
  }
}

import type { ExpressionBuilder, ExpressionWrapper, Kysely } from 'kysely'
import type { Clock } from 'sallyport'
import type { Schema } from '../../database/schema.ts'
import type { AuthenticationIdentity, Users } from '../accounts/users.ts'
import { holdsFactor, type SecondFactors } from '../factors/second-factors.ts'
import { AFTER_RESET, fixDeadline } from './factor-deadlines.ts'
import { EVERYONE, type FactorRule } from './factor-rules.ts'

/** What an account must do. */
export interface FactorDuty {
  /** Unix timestamp from which a login needs a factor. */
  readonly from: number
  /** Whether that time has come. */
  readonly isDue: boolean
}

/** An account without a second factor that counts. */
export interface AccountWithoutFactor {
  /** Account reference. */
  readonly id: string
  /** Name of its owner. */
  readonly name: string
  /** Its e-mail address. */
  readonly email: string
  /** Whether a rule or a reset asks for a factor. */
  readonly mustHold: boolean
  /** Unix timestamp of the first deadline; null where none is fixed yet, because the owner has not signed in under the rule. */
  readonly from: number | null
}

/** An account that a rule may be for. */
type Holder = Pick<AuthenticationIdentity, 'principal' | 'permissions'>

/** Who must hold a second factor, and what follows from it. */
export class FactorPolicy {
  readonly #database: Kysely<Schema>
  readonly #users: Users
  readonly #factors: SecondFactors
  readonly #clock: Clock
  readonly #rules: readonly FactorRule[]

  /**
   * @param services `database` of the accounts, `users`, their second `factors` and the `clock`.
   * @param rules Who must hold a factor.
   */
  constructor(
    services: {
      readonly database: Kysely<Schema>
      readonly users: Users
      readonly factors: SecondFactors
      readonly clock: Clock
    },
    rules: readonly FactorRule[],
  ) {
    this.#database = services.database
    this.#users = services.users
    this.#factors = services.factors
    this.#clock = services.clock
    this.#rules = rules
  }

  /** The permissions that the rules are about. */
  get holders(): readonly string[] {
    return this.#rules.map(({ holders }) => holders)
  }

  /**
   * Tells what an account must do, and fixes the deadline of a rule when the account is first seen without what it asks for.
   *
   * @param identity The account and its present permissions, at least those that {@link holders} names.
   * @returns The earliest duty that is not fulfilled; undefined when the account holds what it must, or must hold nothing.
   */
  async dutyOf(identity: Holder): Promise<FactorDuty | undefined> {
    const { id } = identity.principal
    const held = await this.#factors.kinds(id)
    const now = this.#clock.timestamp()
    const deadlines: number[] = []
    for (const rule of this.#rulesOf(identity)) {
      if (rule.kinds.some((kind) => held.has(kind))) continue
      const fixed = { accountId: id, rule: rule.holders, at: now + rule.graceSeconds }
      deadlines.push(Math.max(rule.from, await fixDeadline(this.#database, fixed)))
    }
    if (held.size === 0) deadlines.push(...(await this.#afterReset(id)))
    if (deadlines.length === 0) return undefined
    const from = Math.min(...deadlines)
    return { from, isDue: from <= now }
  }

  /**
   * @param identity An account whose password was proven.
   * @returns Whether it has no factor at all and must set one up before anything else.
   */
  async mustEnroll(identity: AuthenticationIdentity): Promise<boolean> {
    const duty = await this.dutyOf(identity)
    return duty?.isDue === true && !(await this.#factors.isRequired(identity.principal.id))
  }

  /**
   * @param accountId Account reference.
   * @returns Whether its owner may remove the last factor. Under a rule nobody may, whatever the deadline: it would never come.
   */
  async mayRemoveLastFactor(accountId: string): Promise<boolean> {
    const identity = await this.#users.authenticationIdentity(accountId)
    if (identity === null) return false
    return this.#rulesOf(identity).length === 0 && (await this.#afterReset(accountId)).length === 0
  }

  /**
   * Lists the accounts that may sign in and hold no enabled factor, those who must hold one first, then by address.
   *
   * @param page How many to list, and how many to skip.
   * @returns The accounts.
   */
  async withoutFactor(page: {
    readonly limit: number
    readonly offset?: number
  }): Promise<readonly AccountWithoutFactor[]> {
    const { limit, offset = 0 } = page
    const rows = await this.#database
      .selectFrom('account')
      .select((select) => ['id', 'name', 'email', this.#mustHold(select).as('mustHold')])
      .where('state', '=', 'active')
      .where((where) => where.not(holdsFactor(where)))
      .orderBy('mustHold', 'desc')
      .orderBy('email_key')
      .limit(limit)
      .offset(offset)
      .execute()
    const deadlines = await this.#deadlinesOf(rows.map(({ id }) => id))
    return rows.map((row) => {
      const from = row.mustHold === 1 ? (deadlines.get(row.id) ?? null) : null
      return { ...row, mustHold: row.mustHold === 1, from }
    })
  }

  #mustHold(select: ExpressionBuilder<Schema, 'account'>): ExpressionWrapper<Schema, 'account', number> {
    const holders = this.#rules.map((rule) => rule.holders)
    const isHolder = select
      .selectFrom('account_permission')
      .select('permission')
      .whereRef('account_permission.account_id', '=', 'account.id')
      .where('permission', 'in', ['', ...holders])
    const wasReset = select
      .selectFrom('factor_deadline')
      .select('rule')
      .whereRef('factor_deadline.account_id', '=', 'account.id')
      .where('rule', '=', AFTER_RESET)
    return select
      .case()
      .when(select.or([select.exists(isHolder), select.exists(wasReset)]))
      .then(1)
      .else(holders.includes(EVERYONE) ? 1 : 0)
      .end()
  }

  async #deadlinesOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    if (ids.length === 0) return new Map()
    const rows = await this.#database
      .selectFrom('factor_deadline')
      .select((select) => ['account_id', select.fn.min('at').as('at')])
      .where('account_id', 'in', [...ids])
      .groupBy('account_id')
      .execute()
    return new Map(rows.map((row) => [row.account_id, row.at]))
  }

  #rulesOf({ permissions }: Holder): readonly FactorRule[] {
    return this.#rules.filter(({ holders }) => holders === EVERYONE || permissions.includes(holders))
  }

  async #afterReset(accountId: string): Promise<readonly number[]> {
    const rows = await this.#database
      .selectFrom('factor_deadline')
      .select('at')
      .where('account_id', '=', accountId)
      .where('rule', '=', AFTER_RESET)
      .execute()
    return rows.map(({ at }) => at)
  }
}

import type { ExpressionBuilder, ExpressionWrapper } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Authentication } from 'sallyport/auth'
import { Parts } from '../../core/part.ts'
import { Settings } from '../../settings.ts'
import { Database } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import { Account } from '../accounts/account.ts'
import { type AuthenticationIdentity, Users } from '../accounts/users.ts'
import type { FactorKind, HeldKind } from '../factors/factor-kinds.ts'
import { FactorKinds } from '../factors/known-kinds.ts'
import { holdsFactor, SecondFactors } from '../factors/second-factors.ts'
import { AFTER_RESET, fixDeadline } from './factor-deadlines.ts'
import { EVERYONE, type FactorRule } from './factor-rules.ts'

/** What an account must do. */
export interface FactorDuty {
  /** Unix timestamp from which a login needs a factor. */
  readonly from: number
  /** Whether that time has come. */
  readonly isDue: boolean
  /** The kinds that fulfill it. */
  readonly kinds: readonly HeldKind[]
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

type Duty = Pick<FactorDuty, 'from' | 'kinds'>

type KnownRule = Required<FactorRule>

// One factor that fulfills all of them, if there is such a kind; otherwise they are fulfilled one after the other.
function kindsOf(duties: readonly Duty[], first: Duty): readonly HeldKind[] {
  const common = first.kinds.filter((kind) => duties.every(({ kinds }) => kinds.includes(kind)))
  return common.length > 0 ? common : first.kinds
}

/** Who must hold a second factor, and what follows from it. */
export class FactorPolicy {
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #factors = inject(SecondFactors)
  readonly #clock = inject(Clock)
  readonly #kinds = inject(FactorKinds)
  readonly #rules: readonly KnownRule[] = (
    inject(Settings).factorRules ?? inject(Parts).all.flatMap(({ factorRules = [] }) => factorRules)
  ).map((rule) => ({ ...rule, kinds: rule.kinds ?? this.#kinds.held }))

  /**
   * @param auth Authentication of a signed-in user.
   * @returns The account, with those of its permissions that rules are about.
   */
  holderOf(auth: Authentication): Holder {
    const permissions = this.#rules.flatMap(({ holders }) => (auth.allows(holders) ? [holders] : []))
    return { principal: auth.principalAs(Account), permissions }
  }

  /**
   * Tells what an account must do, and fixes the deadline of a rule when the account is first seen without what it asks for.
   *
   * @param identity The account and its present permissions, at least those that {@link holderOf} gives.
   * @param known The kinds of its enabled factors, where they were read before. Default: they are read.
   * @returns The earliest duty that is not fulfilled; undefined when the account holds what it must, or must hold nothing.
   */
  async dutyOf(identity: Holder, known?: ReadonlySet<FactorKind>): Promise<FactorDuty | undefined> {
    const { id } = identity.principal
    const held = known ?? (await this.#factors.kinds(id))
    const now = this.#clock.timestamp()
    const duties: Duty[] = []
    for (const rule of this.#rulesOf(identity)) {
      if (rule.kinds.some((kind) => held.has(kind))) continue
      const fixed = { accountId: id, rule: rule.holders, at: now + rule.graceSeconds }
      const from = Math.max(rule.from, await fixDeadline(this.#database, fixed))
      duties.push({ from, kinds: rule.kinds })
    }
    if (held.size === 0)
      // In force since it was written: a clock that was set back since must not open the account to the password alone.
      for (const from of await this.#afterReset(id))
        duties.push({ from: Math.min(from, now), kinds: this.#kinds.held })
    const [first] = duties.toSorted((one, other) => one.from - other.from)
    if (first === undefined) return undefined
    return { from: first.from, isDue: first.from <= now, kinds: kindsOf(duties, first) }
  }

  /**
   * @param identity The account and its present permissions.
   * @returns Whether a rule says which factors its owner must hold, now or from a deadline on.
   */
  isBound(identity: Holder): boolean {
    return this.#rulesOf(identity).length > 0
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
   * @param identity An account whose password and second factor were proven.
   * @param known The kinds of its enabled factors, where they were read before. Default: they are read.
   * @returns Whether none of its factors is of a kind that a rule asks for, so that it must add one before it is signed in.
   */
  async mustAdd(identity: AuthenticationIdentity, known?: ReadonlySet<FactorKind>): Promise<boolean> {
    const duty = await this.dutyOf(identity, known)
    return duty?.isDue === true && (await this.#factors.isRequired(identity.principal.id))
  }

  /**
   * @param identity An account whose password was proven, or that is signed in.
   * @param known The kinds of its enabled factors, where they were read before. Default: they are read.
   * @returns The kinds that open the second door for it, and confirm its actions. From an account that holds a kind that a rule in
   *   force names, no other kind is accepted: a code can be typed into a false site, whatever else the account holds. A recovery
   *   code is always accepted, and so is what cannot be typed into one.
   */
  async acceptedKinds(identity: Holder, known?: ReadonlySet<FactorKind>): Promise<ReadonlySet<FactorKind>> {
    const now = this.#clock.timestamp()
    const rules = this.#rulesOf(identity).filter(({ from }) => from <= now)
    if (rules.length === 0) return new Set(['recovery', ...this.#kinds.held])
    const held = known ?? (await this.#factors.kinds(identity.principal.id))
    const inForce = rules.filter(({ kinds }) => kinds.some((kind) => held.has(kind)))
    const common = this.#kinds.held.filter((kind) => inForce.every(({ kinds }) => kinds.includes(kind)))
    // Rules without a common kind shut nobody out: each of them accepts its own.
    const isOpen = common.some((kind) => held.has(kind))
    const safe = this.#kinds.all.filter(({ resistsPhishing }) => resistsPhishing).map(({ kind }) => kind)
    return new Set(['recovery', ...safe, ...(isOpen ? common : inForce.flatMap(({ kinds }) => kinds))])
  }

  /**
   * @param identity An account that sets up a factor.
   * @returns Route of the page where it does: that of an authenticator app, unless a rule asks for another kind.
   */
  async setUpRoute(identity: AuthenticationIdentity): Promise<string> {
    return this.#kinds.toSetUp((await this.dutyOf(identity))?.kinds).setUp
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
   * @param accountId Account reference.
   * @param kinds Kinds of the factors that would be left, at least one.
   * @returns Whether they fulfill every rule that all of its factors fulfill now.
   */
  async mayDoWith(accountId: string, kinds: ReadonlySet<FactorKind>): Promise<boolean> {
    const identity = await this.#users.authenticationIdentity(accountId)
    if (identity === null) return false
    const held = await this.#factors.kinds(accountId)
    return this.#rulesOf(identity).every(
      (rule) => rule.kinds.some((kind) => kinds.has(kind)) || !rule.kinds.some((kind) => held.has(kind)),
    )
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

  #rulesOf({ permissions }: Holder): readonly KnownRule[] {
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

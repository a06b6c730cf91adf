import type { Kysely } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Authentication } from 'sallyport/auth'
import type { AccountRights } from '../account-rights.ts'
import type { FactorDemand, FactorDemands } from '../factor-demands.ts'
import { Parts } from '../part.ts'
import type { Schema } from '../database/schema.ts'
import { Account } from '../accounts/account.ts'
import { type AuthenticationIdentity, Users } from '../accounts/users.ts'
import type { FactorKind, HeldKind } from './factor-kinds.ts'
import { FactorKinds } from './known-kinds.ts'
import { SecondFactors } from './second-factors.ts'

/** What an account must do. */
export interface FactorDuty {
  /** Unix timestamp from which a login needs a factor. */
  readonly from: number
  /** Whether that time has come. */
  readonly isDue: boolean
  /** The kinds that fulfill it. */
  readonly kinds: readonly HeldKind[]
}

type Duty = Pick<FactorDuty, 'from' | 'kinds'>

// One factor that fulfills all of them, if there is such a kind; otherwise they are fulfilled one after the other.
function kindsOf(duties: readonly Duty[], first: Duty): readonly HeldKind[] {
  const common = first.kinds.filter((kind) => duties.every(({ kinds }) => kinds.includes(kind)))
  return common.length > 0 ? common : first.kinds
}

/** Who must hold a second factor, as the parts say, and what follows from it. */
export class FactorPolicy {
  /** What the parts demand. */
  readonly demands: readonly FactorDemands[] = inject(Parts).all.flatMap(({ demands }) =>
    demands === undefined ? [] : [inject(demands)],
  )
  readonly #users = inject(Users)
  readonly #factors = inject(SecondFactors)
  readonly #clock = inject(Clock)
  readonly #kinds = inject(FactorKinds)

  /** @returns The account, with those of its permissions that demands are about. */
  holderOf(auth: Authentication): AccountRights {
    const asked = this.demands.flatMap(({ holders }) => holders)
    return { principal: auth.principalAs(Account), permissions: asked.filter((each) => auth.allows(each)) }
  }

  /**
   * Tells what an account must do, and fixes from when on, where it is first seen without what is demanded.
   *
   * @param identity The account and its present permissions, at least those that {@link holderOf} gives.
   * @param known The kinds of its enabled factors, where they were read before. Default: they are read.
   * @returns The earliest duty that is not fulfilled; undefined when the account holds what it must, or must hold nothing.
   */
  async dutyOf(identity: AccountRights, known?: ReadonlySet<FactorKind>): Promise<FactorDuty | undefined> {
    const { id } = identity.principal
    const held = known ?? (await this.#factors.kinds(id))
    const now = this.#clock.timestamp()
    const demanded = this.#of(identity).filter(({ kinds }) => !kinds.some((kind) => held.has(kind)))
    const duties: Duty[] = held.size === 0 ? [...(await this.#ofNone(id))] : []
    for (const { from, kinds, fix } of demanded)
      duties.push({ from: Math.max(from, (await fix?.()) ?? from), kinds })
    const [first] = duties.toSorted((one, other) => one.from - other.from)
    if (first === undefined) return undefined
    return { from: first.from, isDue: first.from <= now, kinds: kindsOf(duties, first) }
  }

  /** @returns Whether something says which factors its owner must hold, now or from a time on. */
  isBound(identity: AccountRights): boolean {
    return this.#of(identity).length > 0
  }

  /** @returns Whether it has no factor at all and must set one up before anything else. */
  async mustEnroll(identity: AuthenticationIdentity): Promise<boolean> {
    const duty = await this.dutyOf(identity)
    return duty?.isDue === true && !(await this.#factors.isRequired(identity.principal.id))
  }

  /**
   * @param known The kinds of its enabled factors, where they were read before. Default: they are read.
   * @returns Whether none of its factors is of a kind that is demanded, so that it must add one before it is signed in.
   */
  async mustAdd(identity: AuthenticationIdentity, known?: ReadonlySet<FactorKind>): Promise<boolean> {
    const duty = await this.dutyOf(identity, known)
    return duty?.isDue === true && (await this.#factors.isRequired(identity.principal.id))
  }

  /**
   * @param known The kinds of its enabled factors, where they were read before. Default: they are read.
   * @returns The kinds that open the second door for it, and confirm its actions. From an account that holds a kind that is demanded
   *   at present, no other kind is accepted: a code can be typed into a false site, whatever else the account holds. A recovery
   *   code is always accepted, and so is what cannot be typed into one.
   */
  async acceptedKinds(
    identity: AccountRights,
    known?: ReadonlySet<FactorKind>,
  ): Promise<ReadonlySet<FactorKind>> {
    const now = this.#clock.timestamp()
    const demanded = this.#of(identity).filter(({ from }) => from <= now)
    if (demanded.length === 0) return new Set(['recovery', ...this.#kinds.held])
    const held = known ?? (await this.#factors.kinds(identity.principal.id))
    const inForce = demanded.filter(({ kinds }) => kinds.some((kind) => held.has(kind)))
    const common = this.#kinds.held.filter((kind) => inForce.every(({ kinds }) => kinds.includes(kind)))
    // Demands without a common kind shut nobody out: each of them accepts its own.
    const isOpen = common.some((kind) => held.has(kind))
    const safe = this.#kinds.all.filter(({ resistsPhishing }) => resistsPhishing).map(({ kind }) => kind)
    return new Set(['recovery', ...safe, ...(isOpen ? common : inForce.flatMap(({ kinds }) => kinds))])
  }

  /** @returns Route of the page where it does: that of an authenticator app, unless a rule asks for another kind. */
  async setUpRoute(identity: AuthenticationIdentity): Promise<string> {
    return this.#kinds.toSetUp((await this.dutyOf(identity))?.kinds).setUp
  }

  /** @returns Whether its owner may remove the last factor: not where one is demanded, whatever the time, or it would never come. */
  async mayRemoveLastFactor(accountId: string): Promise<boolean> {
    const identity = await this.#users.authenticationIdentity(accountId)
    if (identity === null) return false
    return !this.isBound(identity) && (await this.#ofNone(accountId)).length === 0
  }

  /** @returns Whether they fulfill every demand that all of its factors fulfill now. */
  async mayDoWith(accountId: string, kinds: ReadonlySet<FactorKind>): Promise<boolean> {
    const identity = await this.#users.authenticationIdentity(accountId)
    if (identity === null) return false
    const held = await this.#factors.kinds(accountId)
    return this.#of(identity).every(
      (demand) =>
        demand.kinds.some((kind) => kinds.has(kind)) || !demand.kinds.some((kind) => held.has(kind)),
    )
  }

  /** Notes that an account holds a factor from now on. */
  async fulfilled(transaction: Kysely<Schema>, accountId: string): Promise<void> {
    for (const each of this.demands) await each.fulfilled(transaction, accountId)
  }

  #of(identity: AccountRights): readonly FactorDemand[] {
    return this.demands.flatMap((each) => each.of(identity))
  }

  async #ofNone(accountId: string): Promise<readonly FactorDemand[]> {
    const found: FactorDemand[] = []
    for (const each of this.demands) found.push(...(await each.ofNone(accountId)))
    return found
  }
}

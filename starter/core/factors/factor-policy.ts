import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Authentication } from 'sallyport/auth'
import type { AccountRights } from '../account-rights.ts'
import { Parts } from '../part.ts'
import type { Schema } from '../database/schema.ts'
import { Account } from '../accounts/account.ts'
import { Users } from '../accounts/users.ts'
import type { FactorDemand, FactorDemands } from './factor-demands.ts'
import type { FactorKind, HeldKind } from './factor-kinds.ts'
import { FactorKinds } from './known-kinds.ts'
import { SecondFactors } from './second-factors.ts'

/** What an account must do. */
export interface FactorDuty {
  /** Unix timestamp from which a login needs a factor. */
  readonly from: number
  readonly isDue: boolean
  readonly kinds: readonly HeldKind[]
}

type Kinds = ReadonlySet<FactorKind>

/**
 * Who must hold a second factor, as the parts say, and what follows from it. `known`: the kinds of its enabled factors, where they
 * were read before. Default: they are read.
 */
export class FactorPolicy {
  /** What the parts demand. */
  readonly demands: readonly FactorDemands[] = inject(Parts).services('demands')
  readonly #users = inject(Users)
  readonly #factors = inject(SecondFactors)
  readonly #clock = inject(Clock)
  readonly #kinds = inject(FactorKinds)
  readonly #safe = this.#kinds.all.filter(({ resistsPhishing }) => resistsPhishing).map(({ kind }) => kind)
  readonly #alone: Kinds = new Set(
    this.#kinds.all.filter(({ standsAlone }) => standsAlone).map(({ kind }) => kind),
  )

  /** @returns The account, with those of its permissions that demands are about. */
  holderOf(auth: Authentication): AccountRights {
    const asked = this.demands.flatMap(({ holders = [] }) => holders)
    return { principal: auth.principalAs(Account), permissions: asked.filter((each) => auth.allows(each)) }
  }

  /**
   * Fixes from when on, where an account is first seen without what is demanded.
   *
   * @returns The earliest duty that is not fulfilled; undefined when the account holds what it must, or must hold nothing.
   */
  async dutyOf(identity: AccountRights, known?: Kinds): Promise<FactorDuty | undefined> {
    const { id } = identity.principal
    const held = known ?? (await this.#factors.kinds(id))
    const duties = held.size === 0 ? await this.#ofNone(id) : []
    for (const { from, kinds, fix } of this.#of(identity))
      if (!isMet(kinds, held)) duties.push({ from: Math.max(from, (await fix?.()) ?? from), kinds })
    const [first] = duties.toSorted((one, other) => one.from - other.from)
    if (first === undefined) return undefined
    // One factor that fulfills all of them, if there is such a kind; otherwise they are fulfilled one after the other.
    const common = first.kinds.filter((kind) => duties.every(({ kinds }) => kinds.includes(kind)))
    const kinds = common.length > 0 ? common : first.kinds
    return { from: first.from, isDue: first.from <= this.#clock.timestamp(), kinds }
  }

  /** @returns Whether something says which factors its owner must hold, now or from a time on. */
  isBound(identity: AccountRights): boolean {
    return this.#of(identity).length > 0
  }

  /**
   * @returns The kinds that open the second door for it. Of an account that holds a kind that is demanded, no other one is accepted: a code
   *   can be typed into a false site. A recovery code is always accepted, and so is what cannot be typed into one.
   */
  async acceptedKinds(identity: AccountRights, known?: Kinds): Promise<Kinds> {
    const now = this.#clock.timestamp()
    const demanded = this.#of(identity).filter(({ from }) => from <= now)
    if (demanded.length === 0) return new Set(['recovery', ...this.#kinds.held])
    const held = known ?? (await this.#factors.kinds(identity.principal.id))
    const inForce = demanded.filter(({ kinds }) => isMet(kinds, held))
    const common = this.#kinds.held.filter((kind) => inForce.every(({ kinds }) => kinds.includes(kind)))
    // Demands without a common kind shut nobody out: each of them accepts its own.
    const accepted = isMet(common, held) ? common : inForce.flatMap(({ kinds }) => kinds)
    return new Set(['recovery', ...this.#safe, ...accepted])
  }

  /** @returns The kinds that confirm its actions: for an account without a password, what is both factors, and nothing else. */
  async confirmingKinds(identity: AccountRights): Promise<Kinds> {
    const kinds = await this.acceptedKinds(identity)
    const hasPassword = await this.#users.hasPassword(identity.principal.id)
    return hasPassword ? kinds : this.#alone.intersection(kinds)
  }

  /** @returns Route of the page where it does: that of an authenticator app, unless a rule asks for another kind. */
  async setUpRoute(identity: AccountRights): Promise<string> {
    return this.#kinds.toSetUp((await this.dutyOf(identity))?.kinds).setUp
  }

  /**
   * @returns Whether the account may do without that factor: what is left fulfills every demand that is fulfilled now. The last one stays
   *   where one is demanded, whatever the time, or it would never come.
   */
  async mayRemove(accountId: string, id: string): Promise<boolean> {
    const identity = await this.#users.authenticationIdentity(accountId)
    if (identity === null) return false
    const held = await this.#factors.held(accountId)
    const now = new Set(held.map(({ kind }) => kind))
    const left = new Set(held.filter((factor) => factor.id !== id).map(({ kind }) => kind))
    // Nothing else signs its owner in.
    if (left.isDisjointFrom(this.#alone) && !(await this.#users.hasPassword(accountId))) return false
    const demanded = this.#of(identity)
    if (left.size === 0) return demanded.length === 0 && (await this.#ofNone(accountId)).length === 0
    return demanded.every(({ kinds }) => isMet(kinds, left) || !isMet(kinds, now))
  }

  /** Notes that an account holds a factor from now on. */
  async fulfilled(transaction: Transaction<Schema>, accountId: string): Promise<void> {
    for (const each of this.demands) await each.fulfilled?.(transaction, accountId)
  }

  #of(identity: AccountRights): readonly FactorDemand[] {
    return this.demands.flatMap((each) => each.of?.(identity) ?? [])
  }

  async #ofNone(accountId: string): Promise<FactorDemand[]> {
    const found: FactorDemand[] = []
    for (const each of this.demands) found.push(...((await each.ofNone?.(accountId)) ?? []))
    return found
  }
}

function isMet(demanded: readonly HeldKind[], held: Kinds): boolean {
  return demanded.some((kind) => held.has(kind))
}

import { inject } from 'sallyport'
import type { AccountRights } from '../core/account-rights.ts'
import { type FactorDemand, FactorDemands } from '../core/factor-demands.ts'
import type { Part } from '../core/part.ts'
import type { HeldKind } from '../identity/factors/factor-kinds.ts'
import { FactorKinds } from '../identity/factors/known-kinds.ts'
import { PARTS } from '../parts.ts'

/** What a test demands. */
export interface Demanded {
  /** Permission of those who must hold a factor. Default: everyone must. */
  readonly holders?: string
  /** The kinds that fulfill it. Default: any. */
  readonly kinds?: readonly HeldKind[]
  /** Unix timestamp from which a login needs it. Default: long ago. */
  readonly from?: number
}

/**
 * @param demanded What is demanded.
 * @returns The parts of an application in which a part demands it.
 */
export function demanding(demanded: Demanded = {}): { readonly parts: readonly Part[] } {
  class Demands extends FactorDemands {
    readonly #kinds = inject(FactorKinds)
    override readonly holders: readonly string[] = [demanded.holders ?? []].flat()

    override of({ permissions }: AccountRights): readonly FactorDemand[] {
      const { kinds = this.#kinds.held, from = 0 } = demanded
      return this.holders.every((each) => permissions.includes(each)) ? [{ from, kinds }] : []
    }
  }
  return { parts: [...PARTS, { name: 'demanding', demands: Demands }] }
}

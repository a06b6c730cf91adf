import { inject } from 'sallyport'
import type { AccountRights } from '../core/account-rights.ts'
import type { FactorDemand, FactorDemands } from '../core/factors/factor-demands.ts'
import type { Part } from '../core/part.ts'
import type { HeldKind } from '../core/factors/factor-kinds.ts'
import { FactorKinds } from '../core/factors/known-kinds.ts'
import { PARTS } from '../parts.ts'

/** What a test demands. */
export interface Demanded {
  /** Permission of those who must hold a factor. Default: everyone must. */
  readonly holders?: string
  /** The kinds that fulfill it. Default: any. */
  readonly kinds?: readonly HeldKind[]
  /** Unix timestamp from which a login needs it. Default: long ago. */
  readonly from?: number
  /** The same for an account without such a factor. Default: as `from` says. */
  readonly fixed?: number
}

/** @returns The parts of an application in which a part demands it. */
export function demanding(...demanded: readonly Demanded[]): { readonly parts: readonly Part[] } {
  const all: readonly Demanded[] = demanded.length === 0 ? [{}] : demanded
  class Demands implements FactorDemands {
    readonly #kinds = inject(FactorKinds)
    readonly holders: readonly string[] = all.flatMap(({ holders = [] }) => holders)

    of({ permissions }: AccountRights): readonly FactorDemand[] {
      return all
        .filter(({ holders }) => holders === undefined || permissions.includes(holders))
        .map(({ kinds = this.#kinds.held, from = 0, fixed = from }) => ({
          from,
          kinds,
          fix: async () => fixed,
        }))
    }
  }
  return { parts: [...PARTS, { name: 'demanding', demands: Demands }] }
}

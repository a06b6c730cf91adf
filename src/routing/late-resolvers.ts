import { late } from '../core/internal.ts'
import type { ModuleRouting } from './declaration/module-routing.ts'
import type * as Asking from './resolution/ask-resolver.ts'
import type * as Making from './resolution/resolver-step.ts'

/** What makes steps of resolvers, and asks them. */
export type ResolverParts = Pick<typeof Asking, 'askResolver'> & Pick<typeof Making, 'resolverStep'>

const resolverParts: () => ResolverParts | Promise<ResolverParts> = late(async () => {
  const [{ askResolver }, { resolverStep }] = await Promise.all([
    import('./resolution/ask-resolver.ts'),
    import('./resolution/resolver-step.ts'),
  ])
  return { askResolver, resolverStep }
})

/**
 * Loads what resolvers need.
 *
 * @param modules The modules of an application.
 * @returns It; null where no module has a resolver.
 */
export async function loadResolvers(modules: readonly ModuleRouting[]): Promise<ResolverParts | null> {
  const hasOne = modules.some(({ steps }) => steps.some(({ kind }) => kind === 'resolver'))
  return hasOne ? await resolverParts() : null
}

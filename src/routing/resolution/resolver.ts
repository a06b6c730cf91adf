import type { Route } from '../route.ts'
import type { RouteRequest } from './route-request.ts'

/**
 * Finds routes by rules of the application. It serves all requests at once, so it keeps nothing of one: neither the
 * request nor its route. It may throw `NotFoundException`, which is the same as null, and `MethodNotAllowedException`,
 * which is final.
 */
export interface Resolver {
  /**
   * @param request What is left of the URL behind the module's entry point.
   * @returns A route made by `route(…)` of this request, or null to hand over to the next resolver. Any other is refused:
   * it has the arguments, the locale and the objects of another request, or the middlewares of another module.
   */
  resolve(request: RouteRequest): Route | null | Promise<Route | null>
}

/** A class of resolvers; the container builds its one instance. */
export type ResolverClass = new () => Resolver

/**
 * @param resolver A resolver.
 * @returns Name of its class; `Object` for one without a class.
 */
export function resolverName(resolver: Resolver): string {
  const type: unknown = resolver.constructor
  return typeof type === 'function' ? type.name : 'Object'
}

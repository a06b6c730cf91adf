import type { Route } from './route.ts'
import type { RouteRequest } from './route-request.ts'

/**
 * Finds routes by rules of the application. It serves all requests at once, so it keeps nothing of one. It may throw
 * `NotFoundException`, which is the same as null, and `MethodNotAllowedException`, which is final.
 */
export interface Resolver {
  /**
   * @param request What is left of the URL behind the module's entry point.
   * @returns A route made by `route(…)` of this request, or null to hand over to the next resolver. A route that was made
   * for another module is refused: its middlewares are not those of the module that owns the URL.
   */
  resolve(request: RouteRequest): Route | null | Promise<Route | null>
}

/** A class of resolvers; the container builds its one instance. */
export type ResolverClass = new () => Resolver

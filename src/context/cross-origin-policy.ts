import type { LightResponse } from '../http/internal.ts'
import type { HttpContext } from './http-context.ts'

/** What a module lets pages of other origins do, also with requests that never reach it. */
export interface CrossOriginPolicy {
  /**
   * @param context Context of a request.
   * @returns The response if the request is a preflight; null otherwise.
   */
  preflight(context: HttpContext): LightResponse | null

  /**
   * @param response A response to a request for a URL of the module; receives the headers.
   * @param context Context of the request.
   */
  mark(response: LightResponse, context: HttpContext): void
}

// By the instance, so that the application finds the policy without loading a class that it does not use.
const policies = new WeakMap<object, CrossOriginPolicy>()

/**
 * @param middleware A middleware of modules.
 * @param policy Its policy.
 */
export function giveCrossOriginPolicy(middleware: object, policy: CrossOriginPolicy): void {
  policies.set(middleware, policy)
}

/**
 * @param middleware A middleware of a module.
 * @returns Its policy; null if it has none.
 */
export function crossOriginPolicyOf(middleware: object): CrossOriginPolicy | null {
  return policies.get(middleware) ?? null
}

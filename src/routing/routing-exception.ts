import { inOneLine, sentence } from '../core/internal.ts'
import { SallyportException } from '../core/index.ts'

/** The conditions a {@link RoutingException} tells apart. */
export type RoutingErrorCode =
  | 'mount-conflict'
  | 'root-mount-conflict'
  | 'base-path-conflict'
  | 'claim-conflict'
  | 'claim-inside-mount'
  | 'claim-of-root'
  | 'locales-undeclared'
  | 'locale-prefixes-disabled'
  | 'localized-required'
  | 'route-conflict'
  | 'duplicate-name'
  | 'slash-conflict'
  | 'invalid-middleware'
  | 'invalid-action'
  | 'invalid-resolver'
  | 'verb-conflict'
  | 'unknown-route'
  | 'missing-parameter'
  | 'locale-variant-missing'
  | 'explicit-action'
  | 'invalid-parameter'
  | 'invalid-pattern'

/**
 * A fault in the routing of an application: a declaration that cannot stand, or a URL that cannot be generated. It is
 * the programmer's to mend, never a client's. The message names the module, both declarations of a conflict and what
 * to change.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { App } from 'sallyport'
 * import { RoutingException } from 'sallyport/routing'
 *
 * const app = await App.default().boot()
 *
 * try {
 *   app.router().url('shop:product')
 *   assert.fail('There is no such route')
 * } catch (error) {
 *   assert.ok(error instanceof RoutingException && error.code === 'unknown-route')
 * }
 * ```
 */
export class RoutingException extends SallyportException {
  declare readonly code: RoutingErrorCode

  /**
   * @param code The condition.
   * @param message What could not be done, and the mend; it is kept to one line of at most 2,000 characters.
   * @param options `cause`: the error behind this one. Default: none.
   */
  constructor(code: RoutingErrorCode, message: string, options?: ErrorOptions) {
    super(code, inOneLine(message), options)
  }
}

/** The refusal of a URL that cannot be generated: what it is for, as messages name it, and why, with what to do. */
export function refuseUrl(code: RoutingErrorCode, what: string, reason: string): RoutingException {
  return new RoutingException(code, sentence`Cannot generate a URL for ${what}: ${reason}`)
}

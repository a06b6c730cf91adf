import { sentence, shown } from '../../core/internal.ts'
import type { MiddlewareClass } from '../../http/index.ts'
import { RoutingException } from '../routing-exception.ts'
import { isConstructor } from './action-catalog.ts'

const NONE: readonly MiddlewareClass[] = Object.freeze([])

/**
 * Merges middlewares, outermost first, each once at its outermost place.
 *
 * @param outer Those of the module, checked before.
 * @param inner Those of groups and route; or of the module.
 * @param owner What declares the inner ones, for the message.
 * @throws {RoutingException} `invalid-middleware` if an inner one is no class with a method `process`.
 */
export function mergeMiddlewares(
  outer: readonly MiddlewareClass[],
  inner: readonly MiddlewareClass[],
  owner: string,
): readonly MiddlewareClass[] {
  const bad = inner.findIndex((middleware) => !isMiddlewareClass(middleware))
  if (bad !== -1) {
    const message = sentence`Cannot use ${shown(inner[bad])} as a middleware of ${owner}: pass a class with a method process(context, next)`
    throw new RoutingException('invalid-middleware', message)
  }
  return outer.length + inner.length === 0 ? NONE : Object.freeze([...new Set([...outer, ...inner])])
}

function isMiddlewareClass(middleware: unknown): boolean {
  return isConstructor(middleware) && typeof Reflect.get(middleware.prototype, 'process') === 'function'
}

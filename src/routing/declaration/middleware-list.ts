import { shown } from '../../core/internal.ts'
import type { MiddlewareClass } from '../../http/index.ts'
import { RoutingException } from '../routing-exception.ts'
import { isConstructor } from './controller-actions.ts'

const NONE: readonly MiddlewareClass[] = Object.freeze([])

/**
 * Merges the middlewares of module, groups and route: outermost first, each once at its outermost place.
 *
 * @param outer Middlewares of the module.
 * @param inner Those of groups and route, outermost first.
 * @returns The merged list.
 */
export function mergeMiddlewares(
  outer: readonly MiddlewareClass[],
  inner: readonly MiddlewareClass[],
): readonly MiddlewareClass[] {
  if (outer.length + inner.length === 0) return NONE
  return Object.freeze([...new Set([...outer, ...inner])])
}

/**
 * Checks that everything in a list is a class with a method `process`.
 *
 * @param middlewares The list.
 * @param owner What declares it, for the message.
 * @throws {RoutingException} `invalid-middleware` otherwise.
 */
export function assertMiddlewares(middlewares: readonly unknown[], owner: string): void {
  const bad = middlewares.find((middleware) => !isMiddlewareClass(middleware))
  if (bad === undefined && !middlewares.includes(undefined)) return
  const mend = 'give a class with a method process(context, next)'
  throw new RoutingException(
    'invalid-middleware',
    `Cannot use ${shown(bad)} as a middleware of ${owner}: ${mend}`,
  )
}

function isMiddlewareClass(middleware: unknown): boolean {
  return isConstructor(middleware) && typeof Reflect.get(middleware.prototype, 'process') === 'function'
}

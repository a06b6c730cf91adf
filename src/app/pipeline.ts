import { isPromiseLike } from '../core/internal.ts'
import type { HttpContext } from '../context/index.ts'
import type { Middleware, MiddlewareClass } from '../http/index.ts'
import { Passage, type PassageParts } from './passage.ts'
import type { LateFaults, Step } from './step.ts'

/** A middleware in its place. */
export interface Layer {
  /** Its one instance. */
  readonly middleware: Middleware<HttpContext>
  /** Its class, for the trace. */
  readonly type: MiddlewareClass
  /** Whether it runs for a request; null: always. */
  readonly when: ((context: HttpContext) => boolean) | null
}

/**
 * Puts middlewares around a step, once, so that a request pays for nothing but their calls.
 *
 * @param layers The middlewares, outermost first.
 * @param last What stands behind them.
 * @param onLateFault Takes the faults that no middleware waits for.
 * @returns The whole.
 */
export function compose(layers: readonly Layer[], last: Step, onLateFault: LateFaults): Step {
  return layers.reduceRight<Step>((inner, layer) => wrap(layer, { inner, onLateFault }), last)
}

/**
 * @param when Condition of a middleware.
 * @param context Context of the request.
 * @returns Whether it is met.
 * @throws {TypeError} If the condition gives a promise, which would count as met whatever comes of it.
 */
export function isMet(when: (context: HttpContext) => boolean, context: HttpContext): boolean {
  const met: unknown = when(context)
  if (!isPromiseLike(met)) return Boolean(met)
  // Nobody waits for it, and its rejection would end the process.
  met.then(undefined, () => undefined)
  throw new TypeError('Cannot use a promise as the condition of a middleware: make "when" synchronous')
}

function wrap({ middleware, type, when }: Layer, behind: Omit<PassageParts, 'name'>): Step {
  const parts: PassageParts = { name: type.name, ...behind }
  return (context) => {
    if (when !== null && !isMet(when, context)) return parts.inner(context)
    context.enter(type)
    return new Passage(parts, context).run(middleware)
  }
}

import type { HttpContext } from '../context/index.ts'
import type { Middleware, MiddlewareClass } from '../http/index.ts'
import { isMet } from './condition.ts'
import { Passage, type PassageParts } from './passage.ts'
import type { LateFaults, Step } from './step.ts'

/** A middleware in the pipeline. */
export interface Layer {
  /** Its only instance. */
  readonly middleware: Middleware<HttpContext>
  /** Its class, for the trace. */
  readonly type: MiddlewareClass
  /** Whether it runs for a request; null for always. */
  readonly when: ((context: HttpContext) => boolean) | null
}

/**
 * Composes middlewares around a step, once for all requests.
 *
 * @param layers The middlewares, outermost first.
 * @param last The innermost step.
 * @param onLateFault Receives errors that no middleware awaits.
 * @returns The composed step.
 */
export function compose(layers: readonly Layer[], last: Step, onLateFault: LateFaults): Step {
  return layers.reduceRight<Step>((inner, layer) => wrap(layer, { inner, onLateFault }), last)
}

function wrap({ middleware, type, when }: Layer, behind: Omit<PassageParts, 'name'>): Step {
  const parts: PassageParts = { name: type.name, ...behind }
  return (context) => {
    if (when !== null && !isMet(when, context)) return parts.inner(context)
    context.enter(type)
    return new Passage(parts, context).run(middleware)
  }
}

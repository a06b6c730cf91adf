import type { HttpContext } from '../context/index.ts'
import type { Middleware, MiddlewareClass, Next } from '../http/index.ts'

/** A part of the way of a request, with everything behind it. It may throw or reject. */
export type Step = (context: HttpContext) => Response | Promise<Response>

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
 * @returns The whole.
 */
export function compose(layers: readonly Layer[], last: Step): Step {
  return layers.reduceRight<Step>((inner, layer) => wrap(layer, inner), last)
}

function wrap(layer: Layer, inner: Step): Step {
  const { middleware, type, when } = layer
  return (context) => {
    if (when !== null && !when(context)) return inner(context)
    context.enter(type)
    let called = false
    const next: Next = (request) => {
      if (called) return Promise.reject(new Error(`Cannot go on twice: ${type.name} called next() again`))
      called = true
      if (request !== undefined) context.replaceRequest(request)
      try {
        const response = inner(context)
        return response instanceof Promise ? response : Promise.resolve(response)
      } catch (error) {
        return Promise.reject(error)
      }
    }
    return middleware.process(context, next)
  }
}

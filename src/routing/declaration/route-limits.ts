import { assertOptions, declarationError, sentence, shown } from '../../core/internal.ts'
import type { Action } from './action.ts'
import type { ControllerClass } from './controller-class.ts'
import { RoutingException } from '../routing-exception.ts'

/** Limits of what is read of a request, in place of those of the application. */
export interface RouteLimits {
  /** Largest body in bytes, above or below that of the application. Default: unchanged. */
  readonly bodyBytes?: number
  /**
   * Milliseconds that a client has to send its body, above or below that of `serve()`; for a form with files the longest time
   * without a byte. Default: unchanged.
   */
  readonly bodyMilliseconds?: number
}

/** The limits of the actions of a controller, by the name of the method: `static readonly limits`. */
export type Limits<C> = {
  readonly [K in keyof C as C[K] extends (...args: never[]) => unknown ? K : never]?: RouteLimits
}

const TABLE = 'limits'

const NAMES = ['bodyBytes', 'bodyMilliseconds'] as const

/**
 * The limits that are named.
 *
 * @throws {TypeError} If a limit is unknown.
 * @throws {RangeError} If it is no number above 0.
 */
export function readRouteLimits(limits: RouteLimits, what: string): RouteLimits {
  assertOptions(limits, NAMES, what)
  const read: { -readonly [K in keyof RouteLimits]: RouteLimits[K] } = {}
  for (const name of NAMES) {
    const given: unknown = limits[name]
    if (given === undefined) continue
    if (typeof given !== 'number' || !(given > 0))
      throw declarationError(
        sentence`Cannot use ${shown(given)} as the limit ${name}: it must be a number above 0`,
        RangeError,
      )
    read[name] = given
  }
  return read
}

/**
 * The limits by action, as the static table of a controller and those of its ancestors name them.
 *
 * @throws {RoutingException} `invalid-action` if the table is none, or names what is no action or no limit.
 */
export function readActionLimits(
  controller: ControllerClass,
  actions: ReadonlyMap<string, Action>,
): ReadonlyMap<Action, RouteLimits> {
  const limits = new Map<Action, RouteLimits>()
  for (const table of tablesOf(controller)) {
    if (typeof table !== 'object' || table === null)
      throw refuse(
        controller,
        sentence`static ${TABLE} is ${shown(table)}; it must be an object such as { addPost: { bodyBytes: 5000 } }`,
      )
    const entries: [string, unknown][] = Object.entries(table)
    for (const [method, given] of entries) {
      const action = actions.get(method)
      if (action === undefined)
        throw refuse(controller, sentence`static ${TABLE} names "${method}", which is not an action`)
      limits.set(action, { ...limits.get(action), ...readEntry(controller, method, given) })
    }
  }
  return limits
}

function readEntry(controller: ControllerClass, method: string, given: unknown): RouteLimits {
  try {
    return readRouteLimits(given as RouteLimits, `the limits of ${controller.name}::${method}`)
  } catch (cause) {
    throw refuse(controller, cause instanceof Error ? cause.message : shown(cause), { cause })
  }
}

// Those of ancestors first.
function tablesOf(controller: ControllerClass): unknown[] {
  const tables: unknown[] = []
  for (let type: unknown = controller; typeof type === 'function'; type = Object.getPrototypeOf(type))
    if (Object.hasOwn(type, TABLE)) tables.unshift(Reflect.get(type, TABLE))
  return tables
}

function refuse({ name }: ControllerClass, reason: string, options?: ErrorOptions): RoutingException {
  return new RoutingException(
    'invalid-action',
    sentence`Cannot limit the actions of ${name}: ${reason}`,
    options,
  )
}

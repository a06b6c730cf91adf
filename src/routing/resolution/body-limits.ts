import type { RoutedModule, UrlOwner } from '../routed-module.ts'
import type { EntryPoints } from './entry-points.ts'
import type { Resolution } from './resolution.ts'
import type { RouteTarget } from '../route.ts'
import { parsePath } from '../url-path.ts'

// What a POST may become by method override, which is known only when its body has been read.
const OVERRIDES: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

/** How large the body of a request may be. */
export interface BodyLimitsOfRoute {
  /** Largest body in bytes. Beyond `keptBytes` it must be a form in parts whose files are streamed to a storage. */
  readonly bytes: number
  /** Largest body in bytes that is kept in memory. */
  readonly keptBytes: number
  /** Milliseconds that a client has to send it; null: as the adapter says. */
  readonly milliseconds: number | null
}

/** What a body may be before it is known which route answers. */
export interface BodyCeiling extends BodyLimitsOfRoute {
  /** Whether an action that takes files may answer. */
  readonly takesFiles: boolean
}

/**
 * @param target The target of a route.
 * @param otherwise The limit of the application in bytes.
 * @returns How large a body it takes. Where files are streamed, the limit of the route is one of files: what is kept in
 * memory stays within that of the application.
 */
export function bodyLimitsOf(target: RouteTarget, otherwise: number): BodyLimitsOfRoute {
  const { action, bodyBytes, bodyMilliseconds: milliseconds } = target
  const bytes = bodyBytes ?? otherwise
  return { bytes, keptBytes: action.upload === null ? bytes : Math.min(bytes, otherwise), milliseconds }
}

/** How large a body may be before it is known which route answers: as large as any that may answer allows. */
export class BodyLimits {
  readonly #entries: EntryPoints
  readonly #resolution: Resolution
  readonly #limited = new Map<UrlOwner, boolean>()

  constructor(entries: EntryPoints, resolution: Resolution) {
    this.#entries = entries
    this.#resolution = resolution
  }

  /**
   * The largest body that a request may come with, and whether files may come. No resolver is asked: where one may answer, its module's largest
   * limit counts.
   *
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   */
  ceiling(method: string, path: string, otherwise: number): BodyCeiling {
    const usual = { bytes: otherwise, keptBytes: otherwise, milliseconds: null, takesFiles: false }
    const read = parsePath(path)
    if (typeof read === 'string' || read === null) return usual
    const { candidates } = this.#entries.locate(read.segments)
    const points = candidates.filter(({ claim, module }) => this.#isLimited(claim ?? module, module))
    if (points.length === 0) return usual
    const methods = method === 'POST' ? OVERRIDES : [method]
    const targets = methods.flatMap((each) => this.#resolution.targetAt(each, path) ?? [])
    const limits: BodyLimitsOfRoute[] = targets.map((target) => bodyLimitsOf(target, otherwise))
    for (const { module, steps } of points) {
      if (!steps.some(({ kind }) => kind === 'resolver')) continue
      const possible = module.actions().map((action) => module.targetOf(action))
      limits.push(usual, ...possible.map((target) => bodyLimitsOf(target, otherwise)))
      targets.push(...possible)
    }
    if (limits.length === 0) return usual
    return {
      bytes: Math.max(...limits.map(({ bytes }) => bytes)),
      keptBytes: Math.max(...limits.map(({ keptBytes }) => keptBytes)),
      milliseconds: longest(limits),
      takesFiles: targets.some(({ action }) => action.upload !== null),
    }
  }

  // Nearly every application has no limits of routes, and is not looked through for each request.
  #isLimited(owner: UrlOwner, module: RoutedModule): boolean {
    let isLimited = this.#limited.get(owner)
    if (isLimited === undefined) {
      const actions = owner === module ? module.actions().map((action) => module.targetOf(action)) : []
      const routes = owner.table?.routes.map(({ target }) => target) ?? []
      isLimited = module.declaration.limits !== undefined || [...actions, ...routes].some(isLimitedTarget)
      this.#limited.set(owner, isLimited)
    }
    return isLimited
  }
}

function isLimitedTarget({ bodyBytes, bodyMilliseconds }: RouteTarget): boolean {
  return bodyBytes !== null || bodyMilliseconds !== null
}

// What the adapter allows is unknown here: it counts as soon as one of those that may answer leaves the time to it.
function longest(limits: readonly BodyLimitsOfRoute[]): number | null {
  const times = limits.flatMap(({ milliseconds }) => milliseconds ?? [])
  return times.length === limits.length ? Math.max(...times) : null
}

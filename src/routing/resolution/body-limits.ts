import type { RoutedModule, UrlOwner } from '../routed-module.ts'
import type { EntryPoints } from './entry-points.ts'
import type { Resolution } from './resolution.ts'
import { parsePath } from '../url-path.ts'

// What a POST may become by method override, which is known only when its body has been read.
const OVERRIDES: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

/** What a body may be before it is known which route answers. */
export interface BodyCeiling {
  /** Largest body in bytes. */
  readonly bytes: number
  /** Whether an action that takes files may answer. */
  readonly takesFiles: boolean
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
    const usual = { bytes: otherwise, takesFiles: false }
    const read = parsePath(path)
    if (typeof read === 'string' || read === null) return usual
    const { candidates } = this.#entries.locate(read.segments)
    const points = candidates.filter(({ claim, module }) => this.#isLimited(claim ?? module, module))
    if (points.length === 0) return usual
    const methods = method === 'POST' ? OVERRIDES : [method]
    const targets = methods.flatMap((each) => this.#resolution.targetAt(each, path) ?? [])
    const limits = targets.map(({ bodyBytes }) => bodyBytes ?? otherwise)
    for (const { module, steps } of points) {
      if (!steps.some(({ kind }) => kind === 'resolver')) continue
      const possible = module.actions().map((action) => module.targetOf(action))
      limits.push(otherwise, ...possible.map(({ bodyBytes }) => bodyBytes ?? 0))
      targets.push(...possible)
    }
    const takesFiles = targets.some(({ action }) => action.upload !== null)
    return { bytes: limits.length === 0 ? otherwise : Math.max(...limits), takesFiles }
  }

  // Nearly every application has no limits of routes, and is not looked through for each request.
  #isLimited(owner: UrlOwner, module: RoutedModule): boolean {
    let isLimited = this.#limited.get(owner)
    if (isLimited === undefined) {
      const actions = owner === module ? module.actions().map((action) => module.targetOf(action)) : []
      const routes = owner.table?.routes.map(({ target }) => target) ?? []
      isLimited =
        module.declaration.bodyBytes !== undefined ||
        [...actions, ...routes].some(({ bodyBytes }) => bodyBytes !== null)
      this.#limited.set(owner, isLimited)
    }
    return isLimited
  }
}

import type { RoutedModule, UrlOwner } from '../routed-module.ts'
import type { EntryPoints } from './entry-points.ts'
import type { Resolution } from './resolution.ts'
import { parsePath } from '../url-path.ts'

// What a POST may become by method override, which is known only when its body has been read.
const OVERRIDES: readonly string[] = ['POST', 'PUT', 'PATCH', 'DELETE']

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
   * The largest body in bytes that a request may come with. No resolver is asked: where one may answer, its module's largest
   * limit counts.
   *
   * @throws {RoutingException} If a route table that is asked cannot be compiled.
   */
  ceiling(method: string, path: string, otherwise: number): number {
    const read = parsePath(path)
    if (typeof read === 'string' || read === null) return otherwise
    const { candidates } = this.#entries.locate(read.segments)
    const points = candidates.filter(({ claim, module }) => this.#isLimited(claim ?? module, module))
    if (points.length === 0) return otherwise
    const methods = method === 'POST' ? OVERRIDES : [method]
    const limits = methods.flatMap((each) => {
      const target = this.#resolution.targetAt(each, path)
      return target === null ? [] : [target.bodyBytes ?? otherwise]
    })
    for (const { module, steps } of points)
      if (steps.some(({ kind }) => kind === 'resolver'))
        limits.push(otherwise, ...module.actions().map((action) => module.targetOf(action).bodyBytes ?? 0))
    return limits.length === 0 ? otherwise : Math.max(...limits)
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

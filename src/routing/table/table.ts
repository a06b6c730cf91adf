import { assertNoPromise, inDeclaration, sentence } from '../../core/internal.ts'
import { type DeclaredRoute, RouteCollector } from '../declaration/route-collector.ts'
import { Routes } from '../declaration/routes.ts'
import { RoutingException } from '../routing-exception.ts'
import { compileRoutes, type TableScope } from './compile.ts'
import { SegmentNode } from './segment-node.ts'
import type { CompiledRoute } from './variant.ts'

/** The routes of a module or of one claim. Nothing is compiled before the first use. */
export class Table {
  /** What the table belongs to, as messages name it: `module "Shop"`. */
  readonly label: string
  readonly #scope: TableScope
  readonly #declares: readonly ((routes: Routes) => void)[]
  // One for all locales, or one for each: an empty map is large.
  #levels: readonly SegmentNode[] | null = null
  #localized: Map<string | null, readonly SegmentNode[]> | null = null
  // What the boot has declared, until it is compiled.
  #declared: readonly DeclaredRoute[] | null = null
  #compiled: readonly CompiledRoute[] | null = null
  #isLocalized: boolean | null = null
  #sources: readonly (string | undefined)[] | null = null

  constructor(label: string, declares: readonly ((routes: Routes) => void)[], scope: TableScope) {
    this.label = label
    this.#declares = declares
    this.#scope = scope
  }

  /** @throws {RoutingException | TypeError | RangeError} If they cannot be compiled, or what declares them is wrong. */
  get routes(): readonly CompiledRoute[] {
    return (this.#compiled ??= this.#compile())
  }

  /** Whether something holds of a route, or may hold: what cannot be declared fails at the first use, and here it does not. */
  declares(holds: (route: DeclaredRoute) => boolean): boolean {
    try {
      this.#declared ??= this.#collect(false).declared
    } catch {
      return true
    }
    return this.#declared.some(holds)
  }

  /** The trees in which URLs of a locale are looked up: one for each priority, higher first. */
  levels(locale: string | null): readonly SegmentNode[] {
    if (!this.#tellsLocales()) return (this.#levels ??= this.#buildLevels(null))
    this.#localized ??= new Map()
    let levels = this.#localized.get(locale)
    if (levels === undefined) {
      levels = this.#buildLevels(locale)
      this.#localized.set(locale, levels)
    }
    return levels
  }

  /** Methods, path and place in the source of a route or one of its paths, as messages name it. */
  describe(route: CompiledRoute): string {
    const source = this.sourceOf(route)
    return source === undefined ? route.label : `${route.label} (${source})`
  }

  /** Where a route is declared, `file:line` when known; for that all of them are declared once more. */
  sourceOf({ order }: CompiledRoute): string | undefined {
    this.#sources ??= this.#collect(true).declared.map(({ source }) => source)
    return this.#sources[order]
  }

  /** The groups whose functions declare no routes: what each was given, and where. For that they are run once more. */
  emptyGroups(): readonly string[] {
    return this.#collect(true).empty
  }

  // Which declarations are at fault is known only once it has failed; then they are run again with their sources.
  #compile(): readonly CompiledRoute[] {
    try {
      const declared = this.#declared ?? this.#collect(false).declared
      this.#declared = null
      return compileRoutes(declared, this.#scope)
    } catch (error) {
      if (!(error instanceof RoutingException)) throw error
      try {
        compileRoutes(this.#collect(true).declared, this.#scope)
      } catch (traced) {
        if (traced instanceof RoutingException) throw this.#wrap(traced)
      }
      throw this.#wrap(error)
    }
  }

  #wrap(error: RoutingException): RoutingException {
    const message = sentence`Cannot compile the routes of ${this.label}. ${error.message}`
    return new RoutingException(error.code, message, { cause: error.cause })
  }

  #collect(traced: boolean): RouteCollector {
    const collector = new RouteCollector(this.label, traced)
    const routes = new Routes(collector)
    try {
      for (const declare of this.#declares) assertNoPromise(declare(routes), 'declare routes')
      const [group] = collector.unfinished
      if (group !== undefined && traced) throw group.refuse()
    } catch (error) {
      throw inDeclaration(error, sentence`Cannot compile the routes of ${this.label}`)
    } finally {
      collector.isRead = true
    }
    // Where a group was left unfinished is known the second time.
    return collector.unfinished.size > 0 ? this.#collect(true) : collector
  }

  // Under prefixes a table with paths per locale is searched for one locale, any other for all of them at once. Every lookup
  // that decodes asks for it.
  #tellsLocales(): boolean {
    return (this.#isLocalized ??=
      this.#scope.spelling.localePrefixes && this.routes.some(({ locale }) => locale !== null))
  }

  #buildLevels(locale: string | null): readonly SegmentNode[] {
    const roots = new Map<number, SegmentNode>()
    for (const { target, variants } of this.routes) {
      const root = roots.get(target.priority) ?? new SegmentNode()
      roots.set(target.priority, root)
      for (const variant of variants) {
        if (this.#scope.spelling.answersIn(variant.locale, locale)) root.add(variant)
      }
    }
    return [...roots].sort(([one], [other]) => other - one).map(([, root]) => root)
  }
}

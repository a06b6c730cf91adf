import type { Route } from '../route.ts'
import { type RouteCollector, Routes } from '../routes.ts'
import { RoutingException } from '../routing-exception.ts'
import { compileRoutes, describe, type TableScope } from './compile.ts'
import { RouteTree } from './route-tree.ts'
import type { CompiledRoute } from './variant.ts'

/** A callback that declares routes. */
export type Declare = (routes: Routes) => void

/** What a look-up in a table gives: a route, or the methods the path is known for instead, or null. */
export type TableMatch = Route | ReadonlySet<string> | null

/** A table as it is searched for one locale. */
export interface LocaleTable {
  readonly locale: string | null
  /** One tree for each priority, higher first. */
  readonly levels: readonly RouteTree[]
}

/** The routes of a module or of one claim. Nothing is declared or compiled before the first use. */
export class Table {
  /** What the table belongs to, as messages name it. */
  readonly label: string
  readonly #scope: TableScope
  readonly #declares: readonly Declare[]
  readonly #views = new Map<string | null, LocaleTable>()
  #compiled: readonly CompiledRoute[] | null = null

  /**
   * @param label What the table belongs to: `module "Shop"`.
   * @param declares The callbacks that declare its routes.
   * @param scope The module and application around it.
   */
  constructor(label: string, declares: readonly Declare[], scope: TableScope) {
    this.label = label
    this.#declares = declares
    this.#scope = scope
  }

  /**
   * The routes, compiled on first use.
   *
   * @throws {RoutingException} If they cannot be compiled.
   */
  get routes(): readonly CompiledRoute[] {
    this.#compiled ??= this.#compile()
    return this.#compiled
  }

  /**
   * @param locale The locale of the URL, or null.
   * @returns The table as it is searched for it.
   * @throws {RoutingException} If the table cannot be compiled.
   */
  view(locale: string | null): LocaleTable {
    let view = this.#views.get(locale)
    if (view === undefined) {
      view = { locale, levels: this.#buildLevels(locale) }
      this.#views.set(locale, view)
    }
    return view
  }

  /**
   * Describes a route of the table with its place in the source, for which it is declared once more.
   *
   * @param route A route of the table.
   * @returns Methods, path and source.
   */
  describe(route: CompiledRoute): string {
    const [variant] = route.variants
    const declared = variant === undefined ? undefined : this.#collect(true)[variant.order]
    return declared === undefined ? this.label : describe(declared)
  }

  // Which declarations are at fault is known only once it has failed; then they are run again with their sources.
  #compile(): readonly CompiledRoute[] {
    try {
      return compileRoutes(this.#collect(false), this.#scope)
    } catch (error) {
      if (!(error instanceof RoutingException)) throw error
      try {
        compileRoutes(this.#collect(true), this.#scope)
      } catch (traced) {
        if (traced instanceof RoutingException) throw this.#wrap(traced)
      }
      throw this.#wrap(error)
    }
  }

  #wrap(error: RoutingException): RoutingException {
    const message = `Cannot compile the routes of ${this.label}. ${error.message}`
    return new RoutingException(error.code, message, { cause: error.cause })
  }

  #collect(traced: boolean): RouteCollector['declared'] {
    const collector: RouteCollector = { declared: [], traced }
    const routes = new Routes(collector)
    for (const declare of this.#declares) declare(routes)
    return collector.declared
  }

  #buildLevels(locale: string | null): readonly RouteTree[] {
    const trees = new Map<number, RouteTree>()
    const tellsLocales = this.#scope.localePrefixes
    for (const { target, variants } of this.routes) {
      for (const variant of variants) {
        if (tellsLocales && variant.locale !== null && variant.locale !== locale) continue
        const tree = trees.get(target.priority) ?? new RouteTree()
        trees.set(target.priority, tree)
        tree.add(variant)
      }
    }
    return [...trees].sort(([one], [other]) => other - one).map(([, tree]) => tree)
  }
}

/**
 * Looks a path up.
 *
 * @param table The table for the locale of the URL.
 * @param method The HTTP method.
 * @param place `path`: the decoded path; `at`: where the part behind the entry point begins.
 * @returns The route, the methods that the path is known for instead, or null.
 */
export function findRoute(
  table: LocaleTable,
  method: string,
  place: { readonly path: string; readonly at: number },
): TableMatch {
  let refused: Set<string> | null = null
  for (const level of table.levels) {
    const found = level.find(method, place.path, place.at)
    if (found !== null) return found.variant.route(found.args, table.locale)
    if (level.refused.size > 0) refused = new Set([...(refused ?? []), ...level.refused])
  }
  return refused
}

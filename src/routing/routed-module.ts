import { sentence, toAsciiLowerCase } from '../core/internal.ts'
import type { MiddlewareClass } from '../http/index.ts'
import type { Action } from './declaration/action.ts'
import type { Convention, ConventionalUrls } from './convention/convention.ts'
import type { ControllerClass } from './declaration/controller-class.ts'
import { mergeMiddlewares } from './declaration/middleware-list.ts'
import type { ModuleRouting, ModuleStep } from './declaration/module-routing.ts'
import type { Resolver } from './resolution/resolver.ts'
import { type PatternText, RouteTarget } from './route.ts'
import { type LocalizedPath, pathText } from './declaration/route-collector.ts'
import { RoutingException } from './routing-exception.ts'
import { entryIn, type UrlPlace } from './spelling.ts'
import type { TableScope } from './table/compile.ts'
import { Table } from './table/table.ts'
import type { CompiledRoute } from './table/variant.ts'

/** One step of the resolution of a module; of lower priority it is asked earlier. */
export type Step = { readonly priority: number } & (
  | { readonly kind: 'table'; readonly table: Table }
  | { readonly kind: 'resolver'; readonly resolver: Resolver }
  | { readonly kind: 'convention'; readonly convention: ConventionalUrls }
)

/** A path that a module owns outside its segment, with the table that alone is asked below it. */
export interface Claim {
  readonly path: LocalizedPath
  readonly table: Table
  readonly steps: readonly Step[]
  readonly place: UrlPlace
}

/** What a module needs of the application. */
export interface ModuleContext extends Omit<TableScope, 'module' | 'place'> {
  /** The shared instance of a class. */
  readonly service: <T extends object>(type: new () => T) => T
  /** What makes steps of resolvers; null where no module has one. */
  readonly resolvers: { readonly resolverStep: MakeStep } | null
  /** Reads and spells conventional URLs; null where it reaches no controller. */
  readonly Convention: typeof Convention | null
}

/** A declaration of a resolver. */
export type ResolverDeclaration = ModuleStep & { readonly kind: 'resolver' }

type MakeStep = (
  declared: ResolverDeclaration,
  owner: Pick<ModuleContext, 'service'> & { readonly label: string },
) => Step

/** What owns URLs: a module by its mount, or one of its claims. */
export type UrlOwner = RoutedModule | Claim

export interface NamedRoute {
  readonly route: CompiledRoute
  readonly owner: UrlOwner
}

/** Where the table stands among the resolvers of a module. */
export const TABLE_PRIORITY = 0
/** Where the convention stands among them. */
export const CONVENTION_PRIORITY = 1000

// The convention of a module that lists no controllers.
const NO_URLS: ConventionalUrls = {
  find: () => null,
  spell: () => null,
  pattern: () => null,
  respell: (segments) => segments,
}

/** A module as it resolves URLs: its table, claims, resolvers and convention. */
export class RoutedModule {
  readonly declaration: ModuleRouting
  /** The declaration as it was given to the router, by which its owner knows the module: two may share a name. */
  readonly given: ModuleRouting
  /** The table, or null when no `routes()` was called. */
  readonly table: Table | null
  readonly claims: readonly Claim[]
  readonly convention: ConventionalUrls | null
  /** What is asked, in order. */
  readonly steps: readonly Step[]
  /** Where it is mounted. */
  readonly place: UrlPlace = { entries: [] }
  readonly #context: ModuleContext
  readonly #middlewares: readonly MiddlewareClass[]
  readonly #pattern: PatternText = ({ action }, locale) => this.#conventionalPattern(action, locale)
  #targets: Map<Action, RouteTarget> | null = null
  #named: ReadonlyMap<string | null, readonly NamedRoute[]> | null = null
  #owned: ReadonlyMap<ControllerClass, ReadonlySet<string>> | null = null

  /** @throws {RoutingException} If a middleware or a controller of the module is wrong. */
  constructor(declaration: ModuleRouting, context: ModuleContext) {
    // What was handed over stays as it was, whatever becomes of the lists that it came in.
    this.given = declaration
    this.declaration = {
      ...declaration,
      controllers: Object.freeze([...declaration.controllers]),
      middlewares: Object.freeze([...declaration.middlewares]),
      steps: Object.freeze([...declaration.steps]),
    }
    const { middlewares, steps } = this.declaration
    this.#context = context
    this.#middlewares = mergeMiddlewares([], middlewares, this.label)
    const scope = { ...context, module: this.declaration, place: this.place }
    const declares = steps.flatMap((step) => (step.kind === 'table' ? [step.declare] : []))
    this.table = declares.length === 0 ? null : new Table(this.label, declares, scope)
    this.claims = steps.flatMap((step) => (step.kind === 'claim' ? [this.#claim(step, scope)] : []))
    this.convention = this.#readControllers()
    this.steps = this.#order()
  }

  get name(): string {
    return this.declaration.name
  }

  /** `module "Shop" (module.ts:3)`, as messages name it. */
  get label(): string {
    const { name, source } = this.declaration
    return `module "${name}"${source === undefined ? '' : ` (${source})`}`
  }

  /** What owns its URLs: itself by its mount, then its claims. */
  get owners(): readonly UrlOwner[] {
    return [this, ...this.claims]
  }

  /** The target of an action by its name. */
  target(controller: ControllerClass, method: string): RouteTarget {
    const action = this.#context.catalog.of(controller).get(method)
    if (action === undefined) {
      const message = sentence`Cannot reach ${controller.name}::${method} in ${this.label}: it is not an action; name it in the static actions of ${controller.name}`
      throw new RoutingException('invalid-action', message)
    }
    return this.targetOf(action)
  }

  /** The target of an action, without a table route; the same object each time. */
  targetOf(action: Action): RouteTarget {
    this.#targets ??= new Map()
    let target = this.#targets.get(action)
    if (target === undefined) {
      const unrouted = { name: null, where: null, defaults: null, priority: 0 }
      const limits = { ...this.declaration.limits, ...this.#context.catalog.limits(action) }
      const parts = {
        module: this.name,
        middlewares: this.#middlewares,
        ...unrouted,
        pattern: this.#pattern,
        limits,
      }
      target = new RouteTarget(action, parts)
      this.#targets.set(action, target)
    }
    return target
  }

  /** A locale as it was declared; the default one when it was not, while any are declared. */
  spellLocale(tag: string): string {
    const { spelling } = this.#context
    return spelling.findLocale(tag) ?? spelling.defaultLocale ?? tag
  }

  /** Whether table or claims route to an action, in any letter case (CONV-37): then the convention leaves it alone. */
  owns(action: Action): boolean {
    this.#owned ??= this.#collectOwned()
    return this.#owned.get(action.controller)?.has(toAsciiLowerCase(action.method)) === true
  }

  /** The actions of the controllers that the module lists. */
  actions(): readonly Action[] {
    const { catalog } = this.#context
    return this.declaration.controllers.flatMap((controller) => [...catalog.of(controller).values()])
  }

  /** The routes of table and claims, in the order of declaration. */
  routes(): readonly CompiledRoute[] {
    return this.owners.flatMap(({ table }) => table?.routes ?? [])
  }

  /** The route of a name that is local to the module; table and claims may not share it. */
  named(name: string): NamedRoute | undefined {
    this.#named ??= this.#collectNamed()
    const [first, second] = this.#named.get(name) ?? []
    if (first === undefined || second === undefined) return first
    const both = [first, second].map(({ route, owner }) => owner.table?.describe(route)).join(' and ')
    const message = sentence`Cannot generate a URL for "${name}" of ${this.label}: its table and claims use that name for both ${both}; rename one of them`
    throw new RoutingException('duplicate-name', message)
  }

  #claim(step: ModuleStep & { kind: 'claim' }, scope: TableScope): Claim {
    const place = { entries: [] }
    const label = `claim "${pathText(step.path)}" of ${this.label}`
    const table = new Table(label, [step.declare], { ...scope, place })
    return { path: step.path, table, steps: [tableStep(table)], place }
  }

  #conventionalPattern(action: Action, locale: string | null): string {
    const segments = this.convention?.pattern(action) ?? ['*']
    return this.#context.spelling.pattern(entryIn(this.place, locale), segments, false)
  }

  // Without the convention, too, each controller is checked. What is wrong with one does not know who lists it.
  #readControllers(): ConventionalUrls | null {
    const { controllers, convention } = this.declaration
    const { catalog, Convention } = this.#context
    try {
      for (const controller of controllers) catalog.of(controller)
      if (!convention) return null
      return Convention === null
        ? NO_URLS
        : new Convention(controllers, catalog, (action) => this.owns(action))
    } catch (error) {
      if (!(error instanceof RoutingException)) throw error
      throw new RoutingException(error.code, `${error.message} (in ${this.label})`, { cause: error })
    }
  }

  // Lower priority first, then declaration order; the table stands where routes() was first called.
  #order(): readonly Step[] {
    const { table, convention, label } = this
    const { steps } = this.declaration
    const { service, resolvers } = this.#context
    const first = steps.findIndex(({ kind }) => kind === 'table')
    const ordered = steps.flatMap((step, index): Step[] => {
      if (step.kind === 'resolver') {
        const made = resolvers?.resolverStep(step, { label, service })
        return made === undefined ? [] : [made]
      }
      return index === first && table !== null ? [tableStep(table)] : []
    })
    if (convention !== null) ordered.push({ kind: 'convention', convention, priority: CONVENTION_PRIORITY })
    return ordered.sort((one, other) => one.priority - other.priority)
  }

  #collectNamed(): ReadonlyMap<string | null, readonly NamedRoute[]> {
    const routes = this.owners.flatMap((owner) => {
      const named = owner.table?.routes.filter(({ target }) => target.name !== null) ?? []
      return named.map((route) => ({ route, owner }))
    })
    return Map.groupBy(routes, ({ route }) => route.target.name)
  }

  #collectOwned(): ReadonlyMap<ControllerClass, ReadonlySet<string>> {
    const owned = new Map<ControllerClass, Set<string>>()
    for (const { target } of this.routes()) {
      const { controller, method } = target.action
      const methods = owned.get(controller) ?? new Set<string>()
      owned.set(controller, methods.add(toAsciiLowerCase(method)))
    }
    return owned
  }
}

function tableStep(table: Table): Step {
  return { kind: 'table', table, priority: TABLE_PRIORITY }
}

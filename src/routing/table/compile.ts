import { sentence, shown } from '../../core/internal.ts'
import type { MiddlewareClass } from '../../http/index.ts'
import { type Action, INVOKE } from '../declaration/action.ts'
import type { ControllerClass } from '../declaration/controller-class.ts'
import { type ActionCatalog, isConstructor } from '../declaration/action-catalog.ts'
import { mergeMiddlewares } from '../declaration/middleware-list.ts'
import type { ModuleRouting } from '../declaration/module-routing.ts'
import { type PatternText, RouteTarget } from '../route.ts'
import { type DeclaredRoute, pathText } from '../declaration/route-collector.ts'
import { type RoutingErrorCode, RoutingException } from '../routing-exception.ts'
import { entryIn, type Spelling, type UrlPlace } from '../spelling.ts'
import { Pattern, type PatternSegment } from './pattern.ts'
import { assertCompatible } from './conflicts.ts'
import { refusalOfDefault } from '../generation/fill.ts'
import { type CompiledRoute, Variant } from './variant.ts'

/** The module and the application around a table. */
export interface TableScope {
  readonly module: ModuleRouting
  readonly catalog: ActionCatalog
  /** How URLs are spelled, and in which locales. */
  readonly spelling: Spelling
  /** Where the URLs of the table begin; known when all modules are. */
  readonly place: UrlPlace
  /** The segments of all paths without constraints, which tables share. */
  readonly segments: Map<string, PatternSegment>
  /** Builds a middleware, and throws where that fails. Default: nothing is built. */
  readonly prepare?: (middleware: MiddlewareClass) => void
}

/** Compiles declarations: finds actions, merges middlewares, reads paths, refuses what cannot stand together. */
export function compileRoutes(routes: readonly DeclaredRoute[], scope: TableScope): readonly CompiledRoute[] {
  // The routes of a group share one list of middlewares.
  const lists = new Map<readonly MiddlewareClass[], readonly MiddlewareClass[]>()
  const patterns = patternsOf(scope)
  const compiled = routes.map((route, order) => {
    try {
      const middlewares = lists.get(route.middlewares) ?? mergedMiddlewares(route, scope)
      lists.set(route.middlewares, middlewares)
      return compileRoute({ ...route, middlewares, pattern: patterns.write }, order, scope)
    } catch (error) {
      throw located(route, error)
    }
  })
  assertCompatible(compiled, scope.spelling)
  patterns.routes = compiled
  return compiled
}

function describe(route: DeclaredRoute): string {
  return `${route.methods.join('|')} ${pathText(route.path)}${route.source === undefined ? '' : ` (${route.source})`}`
}

// A fault of one path or one signature does not know where it was declared.
function located({ source }: DeclaredRoute, error: unknown): unknown {
  if (!(error instanceof RoutingException) || source === undefined || error.message.includes(source))
    return error
  return new RoutingException(error.code, `${error.message} (${source})`, { cause: error })
}

function mergedMiddlewares(route: DeclaredRoute, scope: TableScope): readonly MiddlewareClass[] {
  const merged = mergeMiddlewares(scope.module.middlewares, route.middlewares, describe(route))
  for (const middleware of route.middlewares) {
    // One that cannot be built would be found by every request of its routes, and by nothing before.
    try {
      scope.prepare?.(middleware)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : sentence`its constructor threw ${shown(cause)}`
      const message = sentence`Cannot use ${shown(middleware)} as a middleware of ${describe(route)}: ${reason}`
      throw new RoutingException('invalid-middleware', message, { cause })
    }
  }
  return merged
}

type Compilable = DeclaredRoute & { readonly pattern: PatternText }

function compileRoute(route: Compilable, order: number, scope: TableScope): CompiledRoute {
  const { methods, where, source } = route
  const action = findAction(route, scope)
  const limits = { ...scope.module.limits, ...scope.catalog.limits(action), ...route.limits }
  const target = new RouteTarget(action, { ...route, limits, module: scope.module.name })
  const variantOf = ([locale, path]: PathOfLocale): Variant => {
    const parsed = new Pattern(path, where, scope.segments)
    return new Variant(target, { pattern: parsed, methods, locale, order, source })
  }
  const [path, ...others] = localizedPaths(route, scope)
  const first = variantOf(path)
  if (others.length > 0) {
    first.others = others.map(variantOf)
    assertSamePlaceholders(route, first.variants)
  }
  assertDefaults(route, first)
  assertOutsideOfBase(route, first, scope)
  return first
}

interface Patterns {
  routes: readonly CompiledRoute[]
  readonly write: PatternText
}

// One function for a table: one for each route would keep the declaration of each.
function patternsOf(scope: TableScope): Patterns {
  const patterns: Patterns = {
    routes: [],
    write: (target, locale) => {
      const route = patterns.routes.find((each) => each.target === target)
      return patternOf(route?.variants ?? [], scope, locale)
    },
  }
  return patterns
}

// The path that answers in a locale, behind the entry point of that locale.
function patternOf(
  variants: readonly Variant[],
  { spelling, place }: TableScope,
  locale: string | null,
): string {
  const serves = variants.find((variant) => variant.locale === locale)
  const pattern = (serves ?? variants.find((variant) => variant.locale === null) ?? variants[0])?.pattern
  const segments = pattern?.source.split('/').filter((part) => part !== '') ?? []
  return spelling.pattern(entryIn(place, locale), segments, pattern?.hasSlash === true)
}

function findAction(route: DeclaredRoute, scope: TableScope): Action {
  const [controller, method] = readHandler(route, scope)
  const action = scope.catalog.of(controller).get(method)
  if (action !== undefined) return action
  const reason = sentence`${controller.name}::${method} is not an action; name it in the static actions of ${controller.name}`
  throw refuse('invalid-action', route, reason)
}

function readHandler(route: DeclaredRoute, scope: TableScope): readonly [ControllerClass, string] {
  const { handler } = route
  if (typeof handler === 'string') {
    const [name, method, ...more] = handler.split('::')
    const controller = scope.module.controllers.find((candidate) => candidate.name === name)
    if (method === undefined || more.length > 0)
      throw refuse('invalid-action', route, sentence`"${handler}" is not "Controller::action"`)
    if (controller !== undefined) return [controller, method]
    throw refuse(
      'invalid-action',
      route,
      sentence`module "${scope.module.name}" lists no controller "${name}"`,
    )
  }
  if (isConstructor(handler)) return [handler, INVOKE]
  if (!isPair(handler)) {
    const given = Array.isArray(handler) ? `[${handler.map(shown).join(', ')}]` : shown(handler)
    const mend = sentence`use [Controller, "action"], an invokable Controller or "Controller::action"`
    throw refuse('invalid-action', route, sentence`its handler is ${given}; ${mend}`)
  }
  const [controller, method] = handler
  if (typeof method === 'string') return [controller, method]
  const reason = sentence`it names the action by ${shown(method)}; use the name of a method`
  throw refuse('invalid-action', route, reason)
}

function isPair(handler: unknown): handler is readonly [controller: ControllerClass, method: unknown] {
  return Array.isArray(handler) && handler.length === 2 && isConstructor(handler[0])
}

type PathOfLocale = readonly [locale: string | null, path: string]

function localizedPaths(route: DeclaredRoute, scope: TableScope): readonly [PathOfLocale, ...PathOfLocale[]] {
  if (typeof route.path === 'string') return [[null, route.path]]
  const [first, ...others] = Object.entries(route.path)
  if (first === undefined) throw refuse('invalid-pattern', route, sentence`it has no path`)
  const { spelling } = scope
  if (spelling.localePrefixes && !scope.module.localized) {
    const reason = sentence`paths per locale need module "${scope.module.name}" to be localized()`
    throw refuse('localized-required', route, reason)
  }
  const isFree = !spelling.localePrefixes && spelling.defaultLocale === null
  const read = ([tag, path]: readonly [string, string]): PathOfLocale => {
    // Without prefixes, an application that declares no locales may name any.
    const locale = spelling.findLocale(tag) ?? (isFree ? tag : undefined)
    if (locale !== undefined) return [locale, path]
    throw refuse('locales-undeclared', route, sentence`the application declares no locale "${tag}"`)
  }
  return [read(first), ...others.map(read)]
}

function refuse(code: RoutingErrorCode, route: DeclaredRoute, reason: string): RoutingException {
  return new RoutingException(code, sentence`Cannot route ${describe(route)}: ${reason}`)
}

function assertSamePlaceholders(route: DeclaredRoute, variants: readonly Variant[]): void {
  const names = variants.map(({ pattern }) => {
    const own = pattern.placeholders.map(({ name }) => name)
    return own.sort().join(', ')
  })
  const other = names.find((list) => list !== names[0])
  if (other === undefined) return
  const difference = sentence`one path contains "${names[0]}", another "${other}"; each must contain the same placeholders`
  throw refuse('invalid-pattern', route, difference)
}

// Behind a proxy that strips the base path, such a URL would be taken for one that still has it.
function assertOutsideOfBase(
  route: DeclaredRoute,
  { variants }: Variant,
  { spelling, place }: TableScope,
): void {
  const { baseSegments, basePath } = spelling
  const [base] = baseSegments
  const isFirst = place.entries.some(({ prefix }) => prefix.length === baseSegments.length)
  if (base === undefined || !isFirst) return
  for (const { pattern } of variants) {
    const [first] = pattern.segments
    if (first?.kind !== 'literal' || first.text !== base) continue
    const reason = sentence`it begins like the base path "${basePath}" of the application; choose another path`
    throw refuse('base-path-conflict', route, reason)
  }
}

function assertDefaults(route: DeclaredRoute, { pattern, variants }: Variant): void {
  for (const [name, value] of Object.entries(route.defaults ?? {})) {
    if (!pattern.placeholders.some((placeholder) => placeholder.name === name))
      throw refuse(
        'invalid-pattern',
        route,
        sentence`default() fills "${name}", which none of its paths contains`,
      )
    for (const variant of variants) {
      const fault = refusalOfDefault(variant, name, value)
      if (fault === null) continue
      const reason = sentence`default() fills "${name}" with ${shown(value)}: ${fault}`
      throw refuse('invalid-parameter', route, reason)
    }
  }
}

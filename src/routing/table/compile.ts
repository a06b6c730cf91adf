import { shown } from '../../core/internal.ts'
import type { MiddlewareClass } from '../../http/index.ts'
import { type Action, INVOKE } from '../declaration/action.ts'
import type { ActionCatalog } from '../declaration/action-catalog.ts'
import type { ControllerClass, Handler } from '../declaration/controller-class.ts'
import { isConstructor } from '../declaration/controller-actions.ts'
import type { LocaleSet } from '../locale-set.ts'
import { assertMiddlewares, mergeMiddlewares } from '../declaration/middleware-list.ts'
import { RouteTarget } from '../route.ts'
import { type DeclaredRoute, pathText } from '../declaration/route-declaration.ts'
import { RoutingException } from '../routing-exception.ts'
import type { Spelling } from '../spelling.ts'
import { Pattern, type PatternSegment } from './pattern.ts'
import { assertCompatible } from './conflicts.ts'
import { refusalOfDefault } from '../generation/fill.ts'
import { type CompiledRoute, Variant } from './variant.ts'

/** What a table needs to know of the module and the application around it. */
export interface TableScope {
  /** Name of the module. */
  readonly module: string
  /** Its controllers, which `'Name::action'` handlers name. */
  readonly controllers: readonly ControllerClass[]
  /** Its middlewares. */
  readonly middlewares: readonly MiddlewareClass[]
  /** The actions of all controllers. */
  readonly catalog: ActionCatalog
  /** The declared locales. */
  readonly locales: LocaleSet
  /** How URLs are spelled. */
  readonly spelling: Spelling
  /** Whether the module is localized. */
  readonly isLocalized: boolean
  /** The segments of all paths without constraints, which are shared. */
  readonly segments: Map<string, PatternSegment>
  /** Builds a middleware, and throws where that fails. Default: nothing is built. */
  readonly prepare?: (middleware: MiddlewareClass) => void
}

/**
 * Compiles declarations: finds actions, merges middlewares, reads paths, refuses what cannot stand together.
 *
 * @param declared The declarations, in order.
 * @param scope What is around them.
 * @returns The routes, in order.
 * @throws {RoutingException} If a declaration is wrong by itself or in conflict with another.
 */
export function compileRoutes(
  declared: readonly DeclaredRoute[],
  scope: TableScope,
): readonly CompiledRoute[] {
  const lists = new Map<readonly MiddlewareClass[], readonly MiddlewareClass[]>()
  const compiled: CompiledRoute[] = []
  for (const [order, route] of declared.entries()) {
    let middlewares = lists.get(route.middlewares)
    if (middlewares === undefined) {
      assertMiddlewares(route.middlewares, describe(route))
      for (const middleware of route.middlewares) prepareMiddleware(middleware, { route, scope })
      middlewares = mergeMiddlewares(scope.middlewares, route.middlewares)
      lists.set(route.middlewares, middlewares)
    }
    try {
      compiled.push(compileRoute({ route, order, middlewares }, scope))
    } catch (error) {
      throw located(route, error)
    }
  }
  assertCompatible(compiled, scope.spelling)
  // A copy has no room to grow.
  return compiled.slice()
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

// One that cannot be built would be found by every request of its routes, and by nothing before.
function prepareMiddleware(
  middleware: MiddlewareClass,
  { route, scope }: { readonly route: DeclaredRoute; readonly scope: TableScope },
): void {
  try {
    scope.prepare?.(middleware)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : `its constructor threw ${shown(cause)}`
    throw new RoutingException(
      'invalid-middleware',
      `Cannot use ${shown(middleware)} as a middleware of ${describe(route)}: ${reason}`,
      { cause },
    )
  }
}

interface Placed {
  readonly route: DeclaredRoute
  readonly order: number
  readonly middlewares: readonly MiddlewareClass[]
}

function compileRoute({ route, order, middlewares }: Placed, scope: TableScope): CompiledRoute {
  const action = findAction(route, scope)
  const { name, where, defaults, priority } = route
  const target = new RouteTarget(action, {
    module: scope.module,
    middlewares,
    name,
    where,
    defaults,
    priority,
  })
  const variantOf = ([locale, path]: PathOfLocale): Variant => {
    const pattern = new Pattern(path, where, scope.segments)
    return new Variant(target, { pattern, methods: route.methods, locale, order, source: route.source })
  }
  const [path, ...others] = localizedPaths(route, scope)
  const first = variantOf(path)
  if (others.length > 0) {
    first.lead(others.map(variantOf))
    assertSamePlaceholders(route, first.variants)
  }
  if (defaults !== null) assertDefaults(route, first)
  return first
}

function findAction(route: DeclaredRoute, scope: TableScope): Action {
  const { controller, method } = readHandler(route, scope)
  const action = scope.catalog.of(controller).get(method)
  if (action !== undefined) return action
  throw new RoutingException(
    'invalid-action',
    `Cannot route ${describe(route)}: ${controller.name}::${method} is not an action; name it in the static actions of ${controller.name}`,
  )
}

function readHandler(
  route: DeclaredRoute,
  scope: TableScope,
): { controller: ControllerClass; method: string } {
  const handler: Handler = route.handler
  if (typeof handler === 'string') {
    const [name, method, ...more] = handler.split('::')
    const controller = scope.controllers.find((candidate) => candidate.name === name)
    if (method === undefined || more.length > 0)
      throw refuseHandler(route, `"${handler}" is not "Controller::action"`)
    if (controller === undefined)
      throw refuseHandler(route, `module "${scope.module}" lists no controller "${name}"`)
    return { controller, method }
  }
  if (isConstructor(handler)) return { controller: handler, method: INVOKE }
  if (!Array.isArray(handler) || handler.length !== 2 || !isConstructor(handler[0])) {
    const given = Array.isArray(handler) ? handler.map(shown).join(', ') : shown(handler)
    const mend = 'give [Controller, "action"], an invokable Controller or "Controller::action"'
    throw refuseHandler(route, `its handler is ${Array.isArray(handler) ? `[${given}]` : given}; ${mend}`)
  }
  const [controller, method]: readonly [ControllerClass, unknown] = handler
  if (typeof method !== 'string')
    throw refuseHandler(route, `it names the action by ${shown(method)}; give the name of a method`)
  return { controller, method }
}

function refuseHandler(route: DeclaredRoute, reason: string): RoutingException {
  return new RoutingException('invalid-action', `Cannot route ${describe(route)}: ${reason}`)
}

type PathOfLocale = readonly [locale: string | null, path: string]

function localizedPaths(route: DeclaredRoute, scope: TableScope): readonly [PathOfLocale, ...PathOfLocale[]] {
  if (typeof route.path === 'string') return [[null, route.path]]
  const [first, ...others] = Object.entries(route.path)
  if (first === undefined) throw refusePaths('invalid-pattern', route, 'it has no path')
  if (scope.spelling.localePrefixes && !scope.isLocalized) {
    throw refusePaths(
      'localized-required',
      route,
      `paths per locale need module "${scope.module}" to be localized()`,
    )
  }
  const isFree = !scope.spelling.localePrefixes && scope.locales.default === null
  const read = ([tag, path]: readonly [string, string]): PathOfLocale => {
    // Without prefixes, an application that declares no locales may name any.
    const locale = scope.locales.find(tag) ?? (isFree ? tag : undefined)
    if (locale !== undefined) return [locale, path]
    throw refusePaths('locales-undeclared', route, `the application declares no locale "${tag}"`)
  }
  return [read(first), ...others.map(read)]
}

function refusePaths(
  code: 'invalid-pattern' | 'invalid-parameter' | 'localized-required' | 'locales-undeclared',
  route: DeclaredRoute,
  reason: string,
): RoutingException {
  return new RoutingException(code, `Cannot route ${describe(route)}: ${reason}`)
}

function assertSamePlaceholders(route: DeclaredRoute, variants: readonly Variant[]): void {
  const names = variants.map(({ pattern }) =>
    pattern.placeholders
      .map(({ name }) => name)
      .sort()
      .join(', '),
  )
  const other = names.find((list) => list !== names[0])
  if (other === undefined) return
  const difference = `one path holds "${names[0]}", another "${other}"; each must hold the same placeholders`
  throw refusePaths('invalid-pattern', route, difference)
}

function assertDefaults(route: DeclaredRoute, { pattern, variants }: Variant): void {
  const names = new Set(pattern.placeholders.map(({ name }) => name))
  for (const [name, value] of Object.entries(route.defaults ?? {})) {
    if (!names.has(name))
      throw refusePaths('invalid-pattern', route, `default() fills "${name}", which no path of it holds`)
    for (const variant of variants) {
      const reason = refusalOfDefault(variant, name, value)
      if (reason !== null)
        throw refusePaths(
          'invalid-parameter',
          route,
          `default() fills "${name}" with ${shown(value)}: ${reason}`,
        )
    }
  }
}

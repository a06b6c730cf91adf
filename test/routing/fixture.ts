import { loadExpressions } from '../../src/routing/expression/late-expressions.ts'
import { loadCertainty } from '../../src/routing/generation/late-certainty.ts'
import {
  type Actions,
  param,
  type Resolver,
  type ResolverClass,
  type RouteMatch,
  Router,
  type Routes,
  RoutingException,
} from 'sallyport/routing'
import { Convention } from '../../src/routing/convention/convention.ts'
import { askResolver } from '../../src/routing/resolution/ask-resolver.ts'
import { resolverStep } from '../../src/routing/resolution/resolver-step.ts'
import { Inspection } from '../../src/inspection/inspection.ts'
import type { ModuleRouting, ModuleStep } from '../../src/routing/internal.ts'
import type { ControllerClass } from '../../src/routing/index.ts'
import type { RouterOptions } from '../../src/routing/router.ts'

// Applications have it soon after their first URL.
await loadCertainty()
// A boot loads it where a route has a constraint.
await loadExpressions()

/** A controller with an action for every kind of placeholder. */
export class PageController {
  static readonly actions: Actions<PageController> = {
    index: [],
    other: [],
    save: [],
    show: [param.string('slug')],
    edit: [param.string('slug')],
    item: [param.int('id')],
    measure: [param.float('value')],
    flag: [param.bool('on')],
    pair: [param.string('a'), param.string('b')],
    range: [param.int('from'), param.int('to').optional()],
    files: [param.rest(param.string('path'))],
    file: [param.string('path')],
  }
  index(): void {}
  other(): void {}
  save(): void {}
  show(_slug: string): void {}
  edit(_slug: string): void {}
  item(_id: number): void {}
  measure(_value: number): void {}
  flag(_on: boolean): void {}
  pair(_a: string, _b: string): void {}
  range(_from: number, _to?: number): void {}
  files(..._path: string[]): void {}
  file(_path: string): void {}
}

/** What a test says of a module beside its name. */
export type ModuleParts = Partial<Omit<ModuleRouting, 'name' | 'steps'>> & {
  readonly steps?: readonly ModuleStep[]
}

/**
 * A module as the application layer hands it to the router.
 *
 * @param name Name in camel case.
 * @param parts What differs from a module without declarations.
 */
export function module(name: string, parts: ModuleParts = {}): ModuleRouting {
  const segment = name.replace(/(?<=[a-z])([A-Z])/g, '-$1').toLowerCase()
  return {
    name,
    segment,
    localized: false,
    convention: true,
    controllers: [],
    middlewares: [],
    steps: [],
    ...parts,
  }
}

/** A step that declares routes. */
export function table(declare: (routes: Routes) => void): ModuleStep {
  return { kind: 'table', declare }
}

/** A step that claims a path. */
export function claim(path: string | Record<string, string>, declare: (routes: Routes) => void): ModuleStep {
  return { kind: 'claim', path, declare }
}

/** A step that adds a resolver. */
export function resolver(resolver: Resolver | ResolverClass, priority = 0): ModuleStep {
  return { kind: 'resolver', resolver, priority }
}

/** A router for the given modules. */
export function router(
  modules: readonly ModuleRouting[],
  options: Omit<RouterOptions, 'modules'> = {},
): Router {
  return new Router({ modules, resolvers: { askResolver, resolverStep }, Convention, ...options })
}

/** Lists, explains and checks the routes of a router. */
export function inspect(router: Router): Inspection {
  return new Inspection(router.model())
}

/** A router for one module without convention, mounted on the root. */
export function site(
  declare: (routes: Routes) => void,
  options: Omit<RouterOptions, 'modules'> = {},
): Router {
  return router([module('Site', { mount: '/', convention: false, steps: [table(declare)] })], options)
}

/** A match in short: `Shop CartController.add("a", 1)`, `-> /shop`, `405 GET, HEAD`, `404`, `400`. */
export function show(match: RouteMatch): string {
  if (match.kind === 'redirect') return `-> ${match.location}`
  if (match.kind === 'methodNotAllowed') return `405 ${match.allowed.join(', ')}`
  if (match.kind === 'notFound') return '404'
  if (match.kind === 'badRequest') return '400'
  const { route } = match
  const locale = route.locale === null ? '' : ` [${route.locale}]`
  return `${route.module} ${route.controller.name}.${route.action}(${route.args.map(text).join(', ')})${locale}`
}

/** What `METHOD /path` comes to, in short; GET when the method is left out. */
export function ask(router: Router, request: string): string {
  const space = request.indexOf(' /')
  const [method, path] = space === -1 ? ['GET', request] : [request.slice(0, space), request.slice(space + 1)]
  return show(router.match(method, path))
}

/** The validator of `assert.throws` for a routing exception of a code whose message holds some texts. */
export function fails(
  code: RoutingException['code'],
  ...texts: readonly string[]
): (error: unknown) => boolean {
  return (error) => {
    if (!(error instanceof RoutingException)) throw error
    if (error.code !== code) throw new Error(`code ${error.code} instead of ${code}: ${error.message}`)
    const missing = texts.find((part) => !error.message.includes(part))
    if (missing !== undefined) throw new Error(`"${missing}" is not in the message: ${error.message}`)
    return true
  }
}

/** A module that answers everything conventional of its controllers. */
export function conventional(
  name: string,
  controllers: readonly ControllerClass[],
  parts: ModuleParts = {},
): ModuleRouting {
  return module(name, { controllers, ...parts })
}

function text(value: unknown): string {
  return typeof value === 'undefined'
    ? 'undefined'
    : typeof value === 'bigint'
      ? `${value}n`
      : JSON.stringify(value)
}

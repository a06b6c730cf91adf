/**
 * Builds the real application of a draft, whose middlewares and actions note that they ran.
 *
 * @module
 */
import { App, defineModule, type Module, under } from 'sallyport'
import {
  MethodNotAllowedException,
  type Middleware,
  type MiddlewareClass,
  type Next,
  NotFoundException,
} from 'sallyport/http'
import {
  param,
  type Resolver,
  type Route,
  type RouteRequest,
  type Routes,
  TrailingSlash,
} from 'sallyport/routing'
import {
  ANY,
  type ApplicationDraft,
  argsOf,
  type ControllerDraft,
  type ModuleDraft,
  type PathDraft,
  type ParameterDraft,
  type RouteDraft,
  type StepDraft,
} from './draft.ts'
import { MIDDLEWARES } from './generate.ts'
import type { RequiredParameter } from '../../../src/routing/declaration/param.ts'
import type { ActionParameter } from '../../../src/routing/declaration/parameter.ts'
import type { ControllerClass } from '../../../src/routing/index.ts'

/** A booted application and what ran in it. */
export interface BuiltApplication {
  readonly app: App
  /** Middlewares, then the action with its arguments, of the requests since it was emptied. */
  readonly trace: string[]
  /** The prefixes whose gates ran since it was emptied. */
  readonly gates: Set<PathDraft>
  /** What the draft calls a controller. */
  readonly nameOf: (controller: ControllerClass) => string
}

const POLICIES = {
  add: TrailingSlash.Add,
  remove: TrailingSlash.Remove,
  preserve: TrailingSlash.Preserve,
} as const

/**
 * @param draft An application.
 * @param gated Each gets a gate before routing, with `under()` as its condition.
 * @returns It, built and booted.
 */
export async function build(
  draft: ApplicationDraft,
  gated: readonly PathDraft[] = [],
): Promise<BuiltApplication> {
  const trace: string[] = []
  const { locales, policy, prefixes } = draft
  const middlewares = new Map(MIDDLEWARES.map((name) => [name as string, traced(name, trace)]))
  const controllers = new Map(
    draft.modules.flatMap((module) =>
      module.controllers.map((each) => [each.name, controllerOf(each, trace)] as const),
    ),
  )
  const parts: Parts = { middlewares, controllers }
  const isDefault = policy === 'remove' && prefixes
  const isPlain = policy === 'preserve' && !prefixes
  const app = isDefault ? App.default({ locales }) : App.create({ locales })
  if (!isDefault && !isPlain) app.routing(POLICIES[policy], prefixes)
  app.modules(
    ...draft.modules.map((module) =>
      defineModule(module.name, (declared) => declare(declared, module, parts)),
    ),
  )
  const gates = new Set<PathDraft>()
  for (const prefix of gated) {
    const gate: Middleware = { process: (_context, next) => (gates.add(prefix), next()) }
    app.middleware().incoming(gate, { when: under(prefix) })
  }
  await app.boot()
  const names = new Map([...controllers].map(([name, type]) => [type, name]))
  return { app, trace, gates, nameOf: (controller) => names.get(controller) ?? controller.name }
}

interface Parts {
  readonly middlewares: ReadonlyMap<string, MiddlewareClass>
  readonly controllers: ReadonlyMap<string, ControllerClass>
}

function get<T>(map: ReadonlyMap<string, T>, name: string): T {
  const found = map.get(name)
  if (found === undefined) throw new Error(`The draft has no ${name}`)
  return found
}

function declare(declared: Module, draft: ModuleDraft, parts: Parts): void {
  const { controllers, middlewares } = parts
  if (draft.mount !== null) declared.mount(draft.mount)
  if (draft.localized) declared.localized()
  if (!draft.convention) declared.withoutConventionRouting()
  declared.controllers(...draft.controllers.map(({ name }) => get(controllers, name)))
  declared.middleware(...draft.middlewares.map((name) => get(middlewares, name)))
  for (const step of draft.steps) {
    if (step.kind === 'table') declared.routes((routes) => declareRoutes(routes, step.routes, parts))
    else if (step.kind === 'claim')
      declared.claim(step.path, (routes) => declareRoutes(routes, step.routes, parts))
    else declared.resolver(resolverOf(step, parts), { priority: step.priority })
  }
}

function declareRoutes(routes: Routes, drafts: readonly RouteDraft[], parts: Parts): void {
  for (const draft of drafts) {
    const { group } = draft
    if (group === null) declareRoute(routes, draft, parts)
    else {
      const middlewares = group.middlewares.map((name) => get(parts.middlewares, name))
      routes
        .prefix(group.prefix)
        .middleware(...middlewares)
        .group((inner) => declareRoute(inner, draft, parts))
    }
  }
}

function declareRoute(routes: Routes, draft: RouteDraft, { controllers, middlewares }: Parts): void {
  const controller = get(controllers, draft.handler.controller)
  const route = routes.map(draft.methods, draft.path, `${controller.name}::${draft.handler.method}`)
  route.name(draft.name).priority(draft.priority)
  route.middleware(...draft.middlewares.map((name) => get(middlewares, name)))
  for (const [name, expression] of Object.entries(draft.where)) route.where(name, expression)
}

function resolverOf(
  { answers, isAsync }: StepDraft & { kind: 'resolver' },
  { controllers }: Parts,
): Resolver {
  const resolve = (request: RouteRequest): Route | null => {
    const asked = [request.segments.join(' '), ANY]
    const answer = answers.find(({ segments }) => asked.includes(segments))
    if (answer === undefined || answer.says === 'null') return null
    if (answer.says === 'notFound') throw new NotFoundException()
    if (answer.says === 'refuse') throw new MethodNotAllowedException(['PUT'])
    const { controller, method } = answer.handler
    return request.route(get(controllers, controller), method, { args: argsOf(answer, request.segments) })
  }
  return { resolve: isAsync ? async (request) => resolve(request) : resolve }
}

function traced(name: string, trace: string[]): MiddlewareClass {
  const type = class implements Middleware {
    process(_context: unknown, next: Next): Promise<Response> | Response {
      trace.push(name)
      return next()
    }
  }
  Object.defineProperty(type, 'name', { value: name })
  return type
}

function controllerOf(draft: ControllerDraft, trace: string[]): ControllerClass {
  const actions = Object.fromEntries(
    draft.actions.map(({ method, parameters }) => [method, parameters.map(parameterOf)]),
  )
  const type = class {
    static readonly actions = actions
  }
  // A name in a URL is the class's own, without what tells the modules apart.
  Object.defineProperty(type, 'name', { value: draft.name.replace(/^.*\$/, '') })
  for (const { method } of draft.actions) {
    const value = (...args: unknown[]): string => {
      trace.push(`${draft.name}.${method}(${JSON.stringify(args)})`)
      return 'done'
    }
    Object.defineProperty(type.prototype, method, { value, writable: true, configurable: true })
  }
  return type
}

function parameterOf({ name, kind, role }: ParameterDraft): ActionParameter {
  const parameter: RequiredParameter = param[kind](name)
  if (role === 'rest') return param.rest(parameter)
  return role === 'optional' ? parameter.optional() : parameter
}

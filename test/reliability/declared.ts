/** Every declaration that takes a value, and what a wrong one comes to. @module */
import assert from 'node:assert/strict'

import { App, Controller, defineModule, type Module, SecurityHeaders, under } from 'sallyport'
import { type Actions, input, param, parameterType, type Routes } from 'sallyport/routing'
import { serve } from 'sallyport/node'
import { SessionPolicy } from 'sallyport/session'

export class PageController extends Controller {
  static readonly actions: Actions<PageController> = {
    index: [],
    show: [param.string('slug')],
    item: [param.int('id')],
    files: [param.rest(param.string('path'))],
  }
  index(): void {}
  show(_slug: string): void {}
  item(_id: number): void {}
  files(..._path: string[]): void {}
}

/** The kinds of what somebody without a compiler may give instead of what is asked for. */
export type Junk =
  | 'undefined'
  | 'null'
  | 'number'
  | 'NaN'
  | 'boolean'
  | 'empty text'
  | 'object'
  | 'list'
  | 'list of nothing'
  | 'promise'
  | 'async function'
  | 'symbol'
  | 'map'

/** Makes one of each. */
export const JUNK: Readonly<Record<Junk, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  number: () => 5,
  NaN: () => Number.NaN,
  boolean: () => true,
  'empty text': () => '',
  object: () => ({}),
  list: () => [],
  'list of nothing': () => [undefined],
  promise: () => Promise.resolve(),
  'async function': () => async () => undefined,
  symbol: () => Symbol('junk'),
  map: () => new Map(),
}

/** What is declared, the junk that is right there or left out, and how it is declared with a value. */
export type Declared = readonly [what: string, right: readonly Junk[], declare: (value: never) => unknown]

const inModule =
  (configure: (module: Module, value: never) => unknown) =>
  (value: never): App =>
    App.default({ locales: ['fr', 'en'] }).modules(
      defineModule('Shop', (module) => void configure(module.mount('/'), value)),
    )
export const inTable = (declare: (routes: Routes, value: never) => unknown): ((value: never) => App) =>
  inModule((module, value) => module.routes((routes) => void declare(routes, value)))
const inActions = (entry: (value: never) => unknown): ((value: never) => App) =>
  inModule((module, value) => {
    class JunkController extends Controller {
      static readonly actions = entry(value) as never
      show(): void {}
    }
    return module.controllers(JunkController as never)
  })
export const onApp =
  (declare: (app: App, value: never) => unknown) =>
  (value: never): App => {
    const app = App.create()
    declare(app, value)
    return app
  }

const process = (): Promise<Response> => Promise.resolve(new Response())
export const page = (routes: Routes): ReturnType<Routes['get']> =>
  routes.get('/{slug}', [PageController, 'show'])
export const item = (routes: Routes): ReturnType<Routes['get']> =>
  routes.get('/{id}', [PageController, 'item'])
export const rest = (routes: Routes): ReturnType<Routes['get']> =>
  routes.get('/{path}', [PageController, 'files']).where('path', '.*')
const type = { name: 'day', pattern: '[0-9]+', parse: String }

export const DECLARATIONS: readonly Declared[] = [
  ['App.create(options)', ['undefined', 'object', 'map'], (v) => App.create(v)],
  ['App.create({ locales })', ['undefined', 'list'], (v) => App.create({ locales: v })],
  ['App.create({ debug })', ['undefined', 'boolean'], (v) => App.default({ debug: v })],
  ['App.locales()', ['list'], onApp((app, v) => app.locales(v))],
  ['App.routing()', ['object', 'map'], onApp((app, v) => app.routing(v))],
  ['App.routing(…, localePrefixes)', ['undefined', 'boolean'], onApp((app, v) => app.routing('add', v))],
  [
    'App.routing({ localePrefixes })',
    ['undefined', 'boolean'],
    onApp((app, v) => app.routing({ localePrefixes: v })),
  ],
  ['App.routing({ trailingSlash })', ['undefined'], onApp((app, v) => app.routing({ trailingSlash: v }))],
  ['App.modules()', [], onApp((app, v) => app.modules(v))],
  ['App.modulesFrom()', [], onApp((app, v) => app.modulesFrom(v))],
  ['App.configure()', [], onApp((app, v) => app.configure(v))],
  ['App.configure() of a promise', ['promise'], onApp((app, v) => app.configure(() => later(v)))],
  ['App.limits()', ['object', 'map'], onApp((app, v) => app.limits(v))],
  ['App.limits({ bodyBytes })', ['number'], onApp((app, v) => app.limits({ bodyBytes: v }))],
  ['App.limits({ strange })', [], onApp((app, v) => app.limits({ strange: v } as never))],
  ['App.errorView()', [], onApp((app, v) => app.errorView(v))],
  ['App.onError()', ['async function'], onApp((app, v) => app.onError(v))],
  ['App.onTerminate()', ['async function'], onApp((app, v) => app.onTerminate(v))],
  ['App.onClose()', ['async function'], onApp((app, v) => app.onClose(v))],
  ['App.onClose(…, options)', ['undefined', 'object', 'map'], onApp((app, v) => app.onClose(() => {}, v))],
  [
    'App.onClose(…, { milliseconds })',
    ['undefined', 'number'],
    onApp((app, v) => app.onClose(() => {}, { milliseconds: v })),
  ],
  ...(['incoming', 'routed', 'outgoing'] as const).flatMap((band): Declared[] => [
    [`${band}()`, [], onApp((app, v) => app.middleware()[band](v))],
    [
      `${band}(…, options)`,
      ['undefined', 'object', 'map'],
      onApp((app, v) => app.middleware()[band]({ process }, v)),
    ],
    [
      `${band}(…, { priority })`,
      ['undefined', 'number'],
      onApp((app, v) => app.middleware()[band]({ process }, { priority: v })),
    ],
    [
      `${band}(…, { when })`,
      ['undefined'],
      onApp((app, v) => app.middleware()[band]({ process }, { when: v })),
    ],
  ]),
  ['defineModule()', [], onApp((app, v) => app.modules(defineModule(v)))],
  ['defineModule(name)', [], onApp((app, v) => app.modules(defineModule(v, () => undefined)))],
  ['defineModule(…, configure)', [], onApp((app, v) => app.modules(defineModule('Shop', v)))],
  [
    'defineModule(…) of a promise',
    ['promise'],
    onApp((app, v) => app.modules(defineModule('Shop', () => later(v)))),
  ],
  ['Module.mount()', [], inModule((module, v) => module.mount(v))],
  ['Module.mount({ fr })', [], inModule((module, v) => module.localized().mount({ fr: v }))],
  ['Module.controllers()', [], inModule((module, v) => module.controllers(v))],
  ['Module.middleware()', [], inModule((module, v) => module.middleware(v))],
  ['Module.routes()', [], inModule((module, v) => module.routes(v))],
  ['Module.resolver()', [], inModule((module, v) => module.resolver(v))],
  [
    'Module.resolver(…, options)',
    ['undefined', 'object', 'map'],
    inModule((module, v) => module.resolver({ resolve: () => null }, v)),
  ],
  [
    'Module.resolver(…, { priority })',
    ['undefined', 'number'],
    inModule((module, v) => module.resolver({ resolve: () => null }, { priority: v })),
  ],
  ['Module.claim()', [], inModule((module, v) => module.claim(v, () => undefined))],
  ['Module.claim({ fr })', [], inModule((module, v) => module.localized().claim({ fr: v }, () => undefined))],
  ['Module.claim(…, declare)', [], inModule((module, v) => module.claim('/news', v))],
  ['Module.configure()', [], inModule((module, v) => module.configure(v))],
  ['static actions', ['object'], inActions((v) => v)],
  ['an action', ['list'], inActions((v) => ({ show: v }))],
  ['a parameter', [], inActions((v) => ({ show: [v] }))],
  ['input()', [], inActions((v) => ({ show: [input(v)] }))],
  ['param.string()', [], inActions((v) => ({ show: [param.string(v)] }))],
  ['param.rest()', [], inActions((v) => ({ show: [param.rest(v)] }))],
  ['param.of()', [], inActions((v) => ({ show: [param.of(v, 'x')] }))],
  ['parameterType()', [], (v) => parameterType(v)],
  ['parameterType({ name })', [], (v) => parameterType({ ...type, name: v })],
  ['parameterType({ pattern })', [], (v) => parameterType({ ...type, pattern: v })],
  ['parameterType({ parse })', [], (v) => parameterType({ ...type, parse: v })],
  ['parameterType({ format })', ['undefined'], (v) => parameterType({ ...type, format: v })],
  ['parameterType({ typescript })', ['undefined'], (v) => parameterType({ ...type, typescript: v })],
  ['parameterType({ examples })', ['undefined', 'list'], (v) => parameterType({ ...type, examples: v })],
  ['Routes.get(path)', ['empty text'], inTable((routes, v) => routes.get(v, [PageController, 'index']))],
  [
    'Routes.get({ fr })',
    ['empty text'],
    inModule((module, v) => {
      module.localized().routes((routes) => void routes.get({ fr: v }, [PageController, 'index']))
    }),
  ],
  ['Routes.get(…, handler)', [], inTable((routes, v) => routes.get('/', v))],
  ['Routes.get(…, [Controller])', [], inTable((routes, v) => routes.get('/', [v, 'index' as never]))],
  ['Routes.get(…, [, action])', [], inTable((routes, v) => routes.get('/', [PageController, v]))],
  ['Routes.map()', [], inTable((routes, v) => routes.map(v, '/', [PageController, 'index']))],
  ['Routes.map([])', [], inTable((routes, v) => routes.map([v], '/', [PageController, 'index']))],
  ['Routes.prefix()', [], inTable((routes, v) => routes.prefix(v).group(() => undefined))],
  [
    'Routes.middleware()',
    [],
    inTable((routes, v) => routes.middleware(v).group((group) => void page(group))),
  ],
  ['RouteGroup.group()', [], inTable((routes, v) => routes.prefix('/a').group(v))],
  [
    'RouteGroup.group() of a promise',
    ['promise'],
    inTable((routes, v) => routes.prefix('/a').group(() => later(v))),
  ],
  ['Module.routes() of a promise', ['promise'], inModule((module, v) => module.routes(() => later(v)))],
  ['RouteDeclaration.name()', [], inTable((routes, v) => page(routes).name(v))],
  ['RouteDeclaration.where()', [], inTable((routes, v) => page(routes).where(v, 'x'))],
  ['RouteDeclaration.where(…, expression)', [], inTable((routes, v) => page(routes).where('slug', v))],
  ['RouteDeclaration.middleware()', [], inTable((routes, v) => page(routes).middleware(v))],
  ['RouteDeclaration.default()', [], inTable((routes, v) => page(routes).default(v, 'x'))],
  ['default() of a text', ['number', 'boolean'], inTable((routes, v) => page(routes).default('slug', v))],
  ['default() of an integer', ['number'], inTable((routes, v) => item(routes).default('id', v))],
  ['default() of the rest', ['number', 'boolean'], inTable((routes, v) => rest(routes).default('path', v))],
  ['RouteDeclaration.priority()', ['number'], inTable((routes, v) => page(routes).priority(v))],
  ['under()', [], (v) => under(v)],
  ['under({ fr })', [], (v) => under({ fr: v })],
  ['Definitions.set()', [], onApp((app, v) => app.configure((all) => void all.set(v, new SystemThing())))],
  [
    'Definitions.set(…, instance)',
    ['object', 'list', 'list of nothing', 'map', 'async function'],
    onApp((app, v) => app.configure((all) => void all.set(SystemThing, v))),
  ],
  ['new SecurityHeaders()', ['undefined', 'object', 'map'], (v) => new SecurityHeaders(v)],
  ...(
    [
      ['contentSecurityPolicy', ['undefined', 'object', 'map']],
      ['referrerPolicy', ['undefined']],
      ['frameOptions', ['undefined']],
      ['strictTransportSecurity', ['undefined', 'object', 'map']],
      ['crossOriginOpenerPolicy', ['undefined']],
      ['originAgentCluster', ['undefined', 'boolean']],
    ] as const
  ).map(([name, right]): Declared => [
    `SecurityHeaders ${name}`,
    right,
    (v) => new SecurityHeaders({ [name]: v }),
  ]),
  [
    'a directive',
    ['null', 'empty text'],
    (v) => new SecurityHeaders({ contentSecurityPolicy: { 'img-src': v } }),
  ],
  [
    'maxAgeSeconds',
    ['undefined', 'number'],
    (v) => new SecurityHeaders({ strictTransportSecurity: { maxAgeSeconds: v } }),
  ],
  [
    'includeSubDomains',
    ['undefined', 'boolean'],
    (v) => new SecurityHeaders({ strictTransportSecurity: { includeSubDomains: v } }),
  ],
  ['new SessionPolicy()', ['undefined', 'object', 'map'], (v) => new SessionPolicy(v)],
  ...(
    [
      ['idleSeconds', ['undefined', 'number']],
      ['absoluteSeconds', ['undefined']],
      ['cookieName', ['undefined']],
      ['sameSite', ['undefined']],
      ['maxBytes', ['undefined', 'number']],
      ['storeTimeoutMilliseconds', ['undefined', 'number']],
    ] as const
  ).map(([name, right]): Declared => [
    `SessionPolicy ${name}`,
    right,
    (v) => new SessionPolicy({ [name]: v }),
  ]),
  ['serve()', [], (v) => serve(v)],
  ['serve(…, options)', ['undefined', 'object', 'map'], (v) => served(App.create(), v)],
  ...(
    [
      ['port', ['undefined', 'number']],
      ['host', ['undefined']],
      ['origin', ['undefined']],
      ['hosts', ['undefined']],
      ['trustedProxies', ['undefined']],
      ['signals', ['undefined', 'list']],
      ['drainMilliseconds', ['undefined', 'number']],
    ] as const
  ).map(([name, right]): Declared => [`serve() ${name}`, right, (v) => served(App.create(), { [name]: v })]),
  ['trustedProxies addresses', ['list'], (v) => served(App.create(), { trustedProxies: { addresses: v } })],
  ['trustedProxies address', [], (v) => served(App.create(), { trustedProxies: { addresses: [v] } })],
  ['serve() host', [], (v) => served(App.create(), { hosts: [v] })],
  ['serve() signal', [], (v) => served(App.create(), { signals: [v] })],
]

export class SystemThing {}

function later(value: unknown): never {
  return value as never
}

// What is right here would listen: only what is refused is asked for.
function served(app: App, options: unknown): Promise<unknown> {
  return serve(app, options as never)
}

/** What a declaration comes to: the messages of what refuses it, at the call, at boot, or when it is checked. */
export async function refusals(
  declare: (value: never) => unknown,
  value: unknown,
): Promise<readonly string[]> {
  try {
    const app: unknown = await declare(value as never)
    if (!(app instanceof App)) return []
    await app.boot()
    const { findings } = await (await app.inspection()).auditWithResolvers()
    return findings.filter(({ code }) => code === 'does-not-compile').map(({ message }) => message)
  } catch (error) {
    assert.ok(error instanceof Error, String(error))
    return [error.message]
  }
}

/**
 * Random applications. What cannot stand together is left out by the rules of the specification, so that the framework
 * has to take every one of them.
 *
 * @module
 */
import type {
  ActionDraft,
  ApplicationDraft,
  ControllerDraft,
  Handler,
  ModuleDraft,
  ParameterDraft,
  PathDraft,
  ResolverAnswer,
  RouteDraft,
  StepDraft,
} from './draft.ts'
import { ANY, pathsOf } from './draft.ts'
import { keyOf } from './oracle-table.ts'
import type { Random } from './random.ts'

/** The middlewares that routes, groups and modules may carry. */
export const MIDDLEWARES = ['First', 'Second', 'Third', 'Fourth', 'Fifth'] as const

/** How an application treats slashes and locales. */
export interface Profile {
  readonly name: string
  readonly policy: ApplicationDraft['policy']
  readonly prefixes: boolean
}

/** The two profiles of `App` and the explicit one of the specification. */
export const PROFILES: readonly Profile[] = [
  { name: 'App.create()', policy: 'preserve', prefixes: false },
  { name: 'App.default()', policy: 'remove', prefixes: true },
  { name: 'routing(Add, true)', policy: 'add', prefixes: true },
]

/** The profiles that only `routing()` gives. */
export const OTHER_PROFILES: readonly Profile[] = [
  { name: 'routing(Preserve, true)', policy: 'preserve', prefixes: true },
  { name: 'routing(Remove, false)', policy: 'remove', prefixes: false },
  { name: 'routing(Add, false)', policy: 'add', prefixes: false },
]

type Name = readonly [method: string, segment: string, verb: string | null]

const ACTIONS: readonly Name[] = [
  ['index', 'index', null],
  ['indexPost', 'index', 'POST'],
  ['indexHead', 'index', 'HEAD'],
  ['add', 'add', null],
  ['addPost', 'add', 'POST'],
  ['addHead', 'add', 'HEAD'],
  ['typedInt', 'typed-int', null],
  ['typedIntPut', 'typed-int', 'PUT'],
  ['showGet', 'show', 'GET'],
  ['lastPost', 'last', 'POST'],
  ['lastPostGet', 'last-post', 'GET'],
  ['itemDelete', 'item', 'DELETE'],
  ['aboutUs', 'about-us', null],
  ['chooseOptions', 'choose', 'OPTIONS'],
  ['a', 'a', null],
  ['__invoke', '__invoke', null],
]
const CONTROLLERS = [
  ['IndexController', 'index'],
  ['CartController', 'cart'],
  ['OrderLineController', 'order-line'],
  ['AController', 'a'],
  ['Reports', 'reports'],
] as const
const MODULES = [
  ['Shop', 'shop'],
  ['Blog', 'blog'],
  ['OrderDesk', 'order-desk'],
  ['Api', 'api'],
  ['Site', 'site'],
] as const

function one(
  name: string,
  kind: ParameterDraft['kind'],
  role: ParameterDraft['role'] = 'required',
): ParameterDraft {
  return { name, kind, role }
}

const SINGLE: Readonly<Record<ParameterDraft['kind'], ParameterDraft>> = {
  string: one('p', 'string'),
  int: one('n', 'int'),
  bool: one('b', 'bool'),
  float: one('f', 'float'),
}

const SIGNATURES: readonly (readonly ParameterDraft[])[] = [
  [],
  [],
  [],
  [one('p', 'string')],
  ...Object.values(SINGLE).map((parameter) => [parameter]),
  [one('p', 'string'), one('n', 'int')],
  [one('p', 'string'), one('q', 'string')],
  [one('p', 'string', 'optional')],
  [one('n', 'int', 'optional')],
  [one('p', 'string'), one('n', 'int', 'optional')],
  [one('r', 'string', 'rest')],
  [one('p', 'string'), one('r', 'int', 'rest')],
]

const LITERALS = [
  'a',
  'b',
  'a',
  'b',
  'A',
  'é',
  'cart',
  'index',
  'add',
  'feed.xml',
  'fr',
  'shop',
  '@me',
  'a b',
  '~x',
  'k',
  '\u212a',
] as const
const SHAPES = ['/{0}', '/{0}', '/{0}', '/x{0}', '/{0}.json', '/{0}-x'] as const
const CONSTRAINTS = ['[a-z]+', String.raw`\d+|me`, '[a-z]{2,3}', 'a|b|ab', '[^/]+', '.{1,4}'] as const
const METHODS = ['GET', 'GET', 'GET', 'POST', 'PUT', 'HEAD', 'DELETE'] as const

/**
 * @param random Chance.
 * @param profile How it treats slashes and locales.
 * @returns An application that boots and whose tables compile.
 */
export function generateApplication(random: Random, { policy, prefixes }: Profile): ApplicationDraft {
  const locales = random.pick([['fr', 'en'], ['fr', 'en'], ['en'], ['fr-CA', 'en', 'de']])
  const style = random.chance(0.4) ? DENSE : WIDE
  const scope: Scope = { random, policy, prefixes, locales, taken: new Set(), style }
  const named = random.some(MODULES, 0.6)
  const names = named.length === 0 ? [MODULES[0]] : named
  const root = random.chance(0.8) ? random.pick(names)[0] : null
  const modules = names.map(([name, segment]) =>
    generateModule(scope, { name, segment, isRoot: name === root }),
  )
  return { policy, prefixes, locales, modules: withSharedMount(scope, withClaims(scope, modules)) }
}

interface Scope {
  readonly random: Random
  readonly policy: ApplicationDraft['policy']
  readonly prefixes: boolean
  readonly locales: readonly string[]
  /** Segments that are mounted already. */
  readonly taken: Set<string>
  /** How the routes of a table are: far from each other, or so near that they take each other's URLs. */
  readonly style: Style
}

interface Style {
  readonly literals: readonly string[]
  readonly shapes: readonly string[]
  readonly methods: readonly string[]
  readonly mostRoutes: number
  /** How likely a placeholder is constrained, and a path grouped. */
  readonly constrained: number
  readonly grouped: number
}

const WIDE: Style = {
  literals: LITERALS,
  shapes: SHAPES,
  methods: METHODS,
  mostRoutes: 6,
  constrained: 0.25,
  grouped: 0.25,
}
const DENSE: Style = {
  literals: ['a', 'b'],
  shapes: ['/{0}', '/{0}', '/{0}', '/{0}', '/{0}-x'],
  methods: ['GET', 'GET', 'GET', 'POST'],
  mostRoutes: 16,
  constrained: 0.6,
  grouped: 0.05,
}

function generateModule(
  scope: Scope,
  { name, segment, isRoot }: { readonly name: string; readonly segment: string; readonly isRoot: boolean },
): ModuleDraft {
  const { random, prefixes } = scope
  const localized = prefixes && random.chance(0.5)
  const controllers = random.some(CONTROLLERS, 0.5).map((each) => generateController(scope, each, name))
  const listed = controllers.length === 0 ? [generateController(scope, CONTROLLERS[1], name)] : controllers
  const draft = {
    name,
    segment,
    mount: isRoot ? '/' : generateMount(scope, segment, localized),
    localized,
    convention: random.chance(0.7),
    controllers: listed,
    middlewares: random.some(MIDDLEWARES, 0.25),
  }
  const steps: StepDraft[] = []
  for (let turn = 0; turn < 2; turn++) {
    if (random.chance(0.7)) steps.push({ kind: 'table', routes: generateRoutes(scope, draft, `t${turn}`) })
    if (random.chance(0.2)) steps.push(generateResolver(scope, listed))
  }
  // Several calls feed one table, so they have to go together.
  const routes = steps.flatMap((step) => (step.kind === 'table' ? step.routes : []))
  const kept = new Set(withoutCollisions(routes, scope))
  return {
    ...draft,
    steps: steps.map((step) =>
      step.kind === 'table'
        ? { kind: 'table', routes: step.routes.filter((route) => kept.has(route)) }
        : step,
    ),
  }
}

function generateMount(
  { random, taken, locales, prefixes }: Scope,
  segment: string,
  localized: boolean,
): PathDraft | null {
  const free = (wanted: string): string => {
    const name = taken.has(wanted) ? segment : wanted
    taken.add(name)
    return name
  }
  if (!localized || random.chance(0.4)) {
    // Without prefixes a segment that looks like a locale is one like any other.
    const wanted = random.pick([segment, segment, 'boutique', prefixes ? 'b' : 'fr'])
    const mount = free(wanted)
    return mount === segment ? null : mount
  }
  const some = random.some(locales, 0.8)
  const own = some.length === 0 ? locales : some
  return Object.fromEntries(
    own.map((locale, index) => [
      locale,
      free(index === 0 ? segment : random.pick([`${segment}-2`, segment])),
    ]),
  )
}

function generateController(
  { random }: Scope,
  [name, segment]: readonly [string, string],
  module: string,
): ControllerDraft {
  const actions = random.some(ACTIONS, 0.4).map(([method, own, verb]): ActionDraft => {
    return { method, segment: own, verb, parameters: random.pick(SIGNATURES) }
  })
  // The same names are used in all modules; the drafts tell them apart by the module's.
  return { name: `${module}$${name}`, segment, actions }
}

function generateRoutes(
  scope: Scope,
  module: Pick<ModuleDraft, 'controllers' | 'localized'>,
  label: string,
): readonly RouteDraft[] {
  const { random } = scope
  const actions = module.controllers.flatMap(({ name, actions }) =>
    actions.map((action) => ({ name, action })),
  )
  if (actions.length === 0) return []
  const count = random.below(scope.style.mostRoutes)
  return Array.from({ length: count }, (_, index) => {
    const { name, action } = random.pick(actions)
    return generateRoute(scope, {
      handler: { controller: name, method: action.method },
      action,
      module,
      name: `${label}r${index}`,
    })
  })
}

function generateRoute(
  scope: Scope,
  given: {
    readonly handler: Handler
    readonly action: ActionDraft
    readonly module: Pick<ModuleDraft, 'localized'>
    readonly name: string
  },
): RouteDraft {
  const { random, prefixes, locales, style } = scope
  const where: Record<string, string> = {}
  const group = random.chance(style.grouped)
    ? { prefix: random.pick(['/a', '/adm', '/b']), middlewares: random.some(MIDDLEWARES, 0.3) }
    : null
  const placeholders = given.action.parameters.filter(({ role }) => role === 'required' || random.chance(0.6))
  const pieces = placeholders.map(({ name, kind, role }, index) => {
    const isLast = index === placeholders.length - 1
    if (role === 'rest') where[name] = '.*'
    else if (isLast && kind === 'string' && random.chance(0.12)) where[name] = random.pick(['.*', '[a-z/]+'])
    else if (random.chance(style.constrained)) where[name] = random.pick(CONSTRAINTS)
    const isRest = where[name] === '.*' || where[name] === '[a-z/]+'
    return { name, isRest, shape: isRest ? '/{0}' : random.pick(style.shapes) }
  })
  const path = (): string => writePath(scope, pieces)
  const isLocal = (given.module.localized || !prefixes) && random.chance(0.3)
  const some = random.some(locales, 0.7)
  return {
    methods: [
      ...new Set(Array.from({ length: random.chance(0.2) ? 2 : 1 }, () => random.pick(style.methods))),
    ],
    path: isLocal
      ? Object.fromEntries((some.length === 0 ? locales : some).map((locale) => [locale, path()]))
      : path(),
    handler: given.handler,
    where,
    priority: random.pick([0, 0, 0, 0, 1, -1]),
    name: given.name,
    group,
    middlewares: random.some(MIDDLEWARES, 0.15),
  }
}

function writePath(
  { random, style }: Scope,
  pieces: readonly { readonly name: string; readonly isRest: boolean; readonly shape: string }[],
): string {
  let path = ''
  for (const { name, shape } of pieces) {
    if (random.chance(0.5)) path += `/${random.pick(style.literals)}`
    path += shape.replace('0', name)
  }
  if (pieces.at(-1)?.isRest === true) return path
  const count = random.pick(path === '' ? [0, 1, 1, 2] : [0, 0, 1])
  for (let turn = 0; turn < count; turn++) path += `/${random.pick(style.literals)}`
  return path === '' || random.chance(0.1) ? `${path}/` : path
}

function generateResolver({ random }: Scope, controllers: readonly ControllerDraft[]): StepDraft {
  const actions = controllers.flatMap(({ name, actions }) => actions.map((action) => ({ name, action })))
  const fitting = actions.filter(({ action }) =>
    action.parameters.every(({ role, kind }) => role !== 'required' || kind === 'string'),
  )
  const answers = ['', 'a', 'b', 'cart', 'a b', 'page', 'index', 'é'].flatMap(
    (segments): readonly ResolverAnswer[] => {
      if (fitting.length === 0 || random.chance(0.6)) return []
      const { name, action } = random.pick(fitting)
      const args = action.parameters.filter(({ role }) => role === 'required').map(() => 'given')
      const says = random.pick(['route', 'route', 'route', 'null', 'notFound', 'refuse'] as const)
      return [{ segments, says, handler: { controller: name, method: action.method }, args }]
    },
  )
  const isAsync = random.chance(0.3)
  const priority = random.pick([0, 0, -5, 500, 1500])
  const telling = fitting.filter(({ action }) => action.parameters.some(({ role }) => role === 'required'))
  if (telling.length === 0 || random.chance(0.7)) return { kind: 'resolver', priority, isAsync, answers }
  const { name, action } = random.pick(telling)
  const handler = { controller: name, method: action.method }
  const args = action.parameters.filter(({ role }) => role === 'required').map(() => 'given')
  const all: ResolverAnswer = { segments: ANY, says: 'route', handler, args }
  // Behind the table, or behind the convention too: before them it would leave them nothing.
  return { kind: 'resolver', priority: random.pick([500, 1500]), isAsync, answers: [...answers, all] }
}

// HOLD-39: one segment of two localized modules, for different locales.
function withSharedMount(
  { random, locales }: Scope,
  modules: readonly ModuleDraft[],
): readonly ModuleDraft[] {
  const maps = modules.flatMap((module) =>
    typeof module.mount === 'object' && module.mount !== null ? [{ module, mount: module.mount }] : [],
  )
  const [one, two] = random.chance(0.5) ? maps : maps.toReversed()
  if (one === undefined || two === undefined || random.chance(0.3)) return modules
  const [segment = ''] = Object.values(one.mount)
  const other = locales.find((locale) => one.mount[locale] !== segment)
  const isClaimed = modules
    .flatMap(({ steps }) => steps)
    .some((step) => step.kind === 'claim' && JSON.stringify(step.path).includes(`/${segment}`))
  if (other === undefined || isClaimed) return modules
  return modules.map((module) =>
    module === two.module ? { ...module, mount: { ...two.mount, [other]: segment } } : module,
  )
}

const CLAIMS = ['/promo', '/promo/deep', '/news', '/Promo', '/é', '/promo/a', '/@x'] as const

// CLAIM-04 to CLAIM-06: one claim on a prefix, none inside the segment of another module.
function withClaims(scope: Scope, modules: readonly ModuleDraft[]): readonly ModuleDraft[] {
  const { random, prefixes, locales } = scope
  const claimed = new Set<string>()
  return modules.map((module) => {
    if (random.chance(0.6)) return module
    const own = [module.mount ?? module.segment].flatMap((mount) =>
      typeof mount === 'string' ? [mount] : Object.values(mount),
    )
    const paths = [
      ...CLAIMS,
      ...own.filter((segment) => segment !== '/').flatMap((segment) => [`/${segment}/deals`, `/${segment}`]),
    ]
    const free = paths.filter((path) => !claimed.has(path))
    if (free.length === 0) return module
    const first = random.pick(free)
    claimed.add(first)
    const second = free.find((path) => !claimed.has(path))
    let path: PathDraft = first
    if (prefixes && module.localized && second !== undefined && random.chance(0.7)) {
      claimed.add(second)
      path = Object.fromEntries(locales.map((locale, index) => [locale, index === 0 ? first : second]))
    }
    const routes = withoutCollisions(generateRoutes(scope, module, 'c'), scope)
    return { ...module, steps: [...module.steps, { kind: 'claim', path, routes }] }
  })
}

/** Leaves out each route that collides with one before it: TABLE-22, SLASH-11. */
function withoutCollisions(
  routes: readonly RouteDraft[],
  scope: Pick<Scope, 'policy' | 'prefixes'>,
): readonly RouteDraft[] {
  const kept: RouteDraft[] = []
  for (const route of routes) if (!kept.some((other) => collide(route, other, scope))) kept.push(route)
  return kept
}

/**
 * Whether two routes of one table cannot stand together: equal paths with placeholder names erased, methods in common,
 * the same priority, a locale in common; under Preserve also when only the slash at the end tells them apart.
 */
export function collide(
  one: RouteDraft,
  other: RouteDraft,
  { policy, prefixes }: Pick<ApplicationDraft, 'policy' | 'prefixes'>,
): boolean {
  if (!one.methods.some((method) => other.methods.includes(method))) return false
  return pathsOf(one).some(([first, path]) => {
    return pathsOf(other).some(([second, opposite]) => {
      const shares = !prefixes || first === null || second === null || first === second
      if (!shares || keyOf(path, one.where) !== keyOf(opposite, other.where)) return false
      const isSlashed = policy === 'preserve' && path.endsWith('/') !== opposite.endsWith('/')
      return one.priority === other.priority || isSlashed
    })
  })
}

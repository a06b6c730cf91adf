import {
  type Action,
  type CompiledRoute,
  type EntryPoint,
  resolverName,
  type RoutedModule,
  type RoutingModel,
  STRING,
  type UrlOwner,
  withHead,
} from '../routing/internal.ts'

/** A URL pattern and what it reaches, for a list of all of them. */
export interface ListedRoute {
  /** What declares it. */
  readonly kind: 'table' | 'claim' | 'convention' | 'resolver'
  /** Name of the module that owns it. */
  readonly module: string
  /** The methods that it answers, HEAD beside GET. */
  readonly methods: readonly string[]
  /** The whole path for each locale, null standing for none; placeholders are written `{name}`. */
  readonly paths: readonly { readonly locale: string | null; readonly path: string }[]
  /** The qualified name, or null. */
  readonly name: string | null
  /** The name without its module, by which it is known when the module owns the root; else null. */
  readonly shortName: string | null
  /** The action, `CartController::add`; of a resolver its name. */
  readonly action: string
  /** What fills the placeholders, in the order of the path. */
  readonly parameters: readonly ListedParameter[]
  /** Priority: of routes higher is tried first, of resolvers lower. */
  readonly priority: number
  /** Class names of the middlewares, outermost first. */
  readonly middlewares: readonly string[]
  /** Where it is declared, as `file:line`, when known. */
  readonly source: string | undefined
}

/** What fills a placeholder. */
export interface ListedParameter {
  /** Name of the placeholder and of the parameter of the action. */
  readonly name: string
  /** What its text is read as: `int`, or the name of a type of the application's own. */
  readonly kind: string
  /** What `url()` takes for it, as TypeScript writes the type: a value, or the text of one. */
  readonly typescript: string
  /** Whether it takes all segments that are left. */
  readonly isRest: boolean
  /** Whether a list of them is given, one for each segment. */
  readonly isList: boolean
  /** Whether it may be left out, having a default. */
  readonly isOptional: boolean
  /** What it must match, or null. */
  readonly constraint: string | null
}

type Parameter = Action['parameters'][number]

/** Lists every URL pattern of an application: tables, claims and convention, then what stands for resolvers. */
export function listRoutes(model: RoutingModel): readonly ListedRoute[] {
  return model.modules.flatMap((module) => [
    ...module.owners.flatMap((owner) => listTable(model, module, owner)),
    ...listConvention(model, module),
    ...listResolvers(model, module),
  ])
}

function listTable(model: RoutingModel, module: RoutedModule, owner: UrlOwner): readonly ListedRoute[] {
  const { table } = owner
  const points = model.entries.pointsOf(owner)
  return (table?.routes ?? []).map((route) => ({
    kind: owner === module ? 'table' : 'claim',
    module: module.name,
    methods: [...withHead(route.methods)],
    paths: pathsOf(model, route, points),
    name: route.target.name === null ? null : `${module.declaration.segment}:${route.target.name}`,
    shortName: model.entries.root === module ? route.target.name : null,
    action: route.target.action.label,
    parameters: parametersOf(route),
    priority: route.target.priority,
    middlewares: route.target.middlewares.map(({ name }) => name),
    source: table?.sourceOf(route),
  }))
}

function pathsOf(
  { spelling }: RoutingModel,
  { variants }: CompiledRoute,
  points: readonly EntryPoint[],
): ListedRoute['paths'] {
  return points.flatMap((point) => {
    const fitting = variants.filter(({ locale }) => spelling.answersIn(locale, point.locale))
    return fitting.map(({ locale, pattern }) => {
      const segments = pattern.source.split('/').filter((part) => part !== '')
      return { locale: locale ?? point.locale, path: spelling.pattern(point, segments, pattern.hasSlash) }
    })
  })
}

function parametersOf({ target, variants }: CompiledRoute): readonly ListedParameter[] {
  const { action, defaults, where } = target
  return (variants[0]?.pattern.placeholders ?? []).map(({ name, isRest }) => {
    const parameter = action.parameter(name)
    const { name: kind, typescript } = parameter?.type ?? STRING
    const isList = isRest && parameter?.role === 'rest'
    const isOptional = Object.hasOwn(defaults, name)
    return { name, kind, typescript, isRest, isList, isOptional, constraint: where[name] ?? null }
  })
}

function listConvention(model: RoutingModel, module: RoutedModule): readonly ListedRoute[] {
  const { convention } = module
  if (convention === null) return []
  const points = model.entries.pointsOf(module)
  const actions = module.actions().filter((action) => !module.owns(action))
  return actions.map((action) => {
    const { label, parameters, verb } = action
    const segments = convention.pattern(action) ?? []
    return {
      kind: 'convention',
      module: module.name,
      name: null,
      shortName: null,
      methods: [...withHead([verb ?? 'GET'])],
      paths: points.map((point) => ({
        locale: point.locale,
        path: model.spelling.pattern(point, segments, false),
      })),
      action: label,
      parameters: parameters.map(listParameter),
      priority: 0,
      middlewares: module.targetOf(action).middlewares.map(({ name }) => name),
      source: undefined,
    }
  })
}

function listParameter({ name, type, role }: Parameter): ListedParameter {
  const { name: kind, typescript } = type
  const isRest = role === 'rest'
  const isOptional = role !== 'required'
  return { name, kind, typescript, isRest, isList: isRest, isOptional, constraint: null }
}

function listResolvers(model: RoutingModel, module: RoutedModule): readonly ListedRoute[] {
  const { name, steps, source } = module.declaration
  const points = model.entries.pointsOf(module)
  const paths = points.map(({ locale, base }) => ({ locale, path: `${base}/*` }))
  return steps.flatMap((step): readonly ListedRoute[] => {
    if (step.kind !== 'resolver') return []
    const { resolver, priority } = step
    const action = typeof resolver === 'function' ? resolver.name : resolverName(resolver)
    const own = { kind: 'resolver', module: name, methods: ['*'], name: null, shortName: null } as const
    return [{ ...own, paths, action, parameters: [], priority, middlewares: [], source }]
  })
}

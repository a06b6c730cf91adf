import type { ParameterType } from '../routing/index.ts'
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

/**
 * Lists every URL pattern of an application: tables, claims and convention. What resolvers answer is not known.
 *
 * @param scope The application.
 * @returns The patterns, by module in the order of declaration.
 * @throws {RoutingException} If a table cannot be compiled.
 */
export function listRoutes(scope: RoutingModel): readonly ListedRoute[] {
  return scope.modules.flatMap((module) => [
    ...module.owners.flatMap((owner) => listTable(scope, module, owner)),
    ...listConvention(scope, module),
    ...listResolvers(scope, module),
  ])
}

function listTable(scope: RoutingModel, module: RoutedModule, owner: UrlOwner): readonly ListedRoute[] {
  const { table } = owner
  const points = scope.entries.pointsOf(owner)
  return (table?.routes ?? []).map((route) => ({
    kind: owner === module ? 'table' : 'claim',
    module: module.name,
    methods: [...withHead(route.methods)],
    paths: pathsOf(scope, route, points),
    name: route.target.name === null ? null : `${module.declaration.segment}:${route.target.name}`,
    shortName: scope.entries.root === module ? route.target.name : null,
    action: route.target.action.label,
    parameters: parametersOf(route),
    priority: route.target.priority,
    middlewares: route.target.middlewares.map(({ name }) => name),
    source: table?.sourceOf(route),
  }))
}

function pathsOf(
  scope: RoutingModel,
  { variants }: CompiledRoute,
  points: readonly EntryPoint[],
): ListedRoute['paths'] {
  return points.flatMap((point) => {
    const fitting = variants.filter(({ locale }) => scope.spelling.answersIn(locale, point.locale))
    return fitting.map(({ locale, pattern }) => {
      const segments = pattern.source.split('/').filter((part) => part !== '')
      return {
        locale: locale ?? point.locale,
        path: scope.spelling.pattern(point, segments, pattern.hasSlash),
      }
    })
  })
}

function listConvention(scope: RoutingModel, module: RoutedModule): readonly ListedRoute[] {
  const { convention } = module
  if (convention === null) return []
  return module.actions().flatMap((action): readonly ListedRoute[] => {
    if (module.owns(action)) return []
    const target = module.targetOf(action)
    const spelled = convention.spell(action, action.parameters.length) ?? []
    const segments = [...spelled, ...action.parameters.map(placeholderOf)]
    const points = scope.entries.pointsOf(module)
    return [
      {
        kind: 'convention',
        module: module.name,
        methods: [...withHead([action.verb ?? 'GET'])],
        paths: points.map((point) => ({
          locale: point.locale,
          path: scope.spelling.pattern(point, segments, false),
        })),
        name: null,
        shortName: null,
        action: action.label,
        parameters: action.parameters.map(({ name, type, role }) => ({
          name,
          ...kindOf(type),
          isRest: role === 'rest',
          isList: role === 'rest',
          isOptional: role !== 'required',
          constraint: null,
        })),
        priority: 0,
        middlewares: target.middlewares.map(({ name }) => name),
        source: undefined,
      },
    ]
  })
}

function parametersOf({ target, variants }: CompiledRoute): readonly ListedParameter[] {
  const pattern = variants[0]?.pattern
  return (pattern?.placeholders ?? []).map(({ name, isRest }) => {
    const parameter = target.action.parameter(name)
    return {
      name,
      ...kindOf(parameter?.type ?? STRING),
      isRest,
      isList: isRest && parameter?.role === 'rest',
      isOptional: Object.hasOwn(target.defaults, name),
      constraint: target.where[name] ?? null,
    }
  })
}

function kindOf({ name, typescript }: ParameterType): Pick<ListedParameter, 'kind' | 'typescript'> {
  return { kind: name, typescript }
}

function listResolvers(scope: RoutingModel, module: RoutedModule): readonly ListedRoute[] {
  return module.declaration.steps.flatMap((step): readonly ListedRoute[] => {
    if (step.kind !== 'resolver') return []
    const { resolver, priority } = step
    const name = typeof resolver === 'function' ? resolver.name : resolverName(resolver)
    const paths = scope.entries.pointsOf(module).map((point) => ({
      locale: point.locale,
      path: `${point.base}/*`,
    }))
    const own = {
      kind: 'resolver',
      module: module.name,
      methods: ['*'],
      name: null,
      shortName: null,
      action: name,
    } as const
    return [{ ...own, paths, parameters: [], priority, middlewares: [], source: module.declaration.source }]
  })
}

function placeholderOf({ name, role }: Action['parameters'][number]): string {
  return role === 'rest' ? `{...${name}}` : role === 'optional' ? `{${name}?}` : `{${name}}`
}

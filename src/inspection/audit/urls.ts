import { type Route, RoutingException } from '../../routing/index.ts'
import type {
  CompiledRoute,
  EntryPoint,
  GivenParams,
  RoutedModule,
  RoutingModel,
} from '../../routing/internal.ts'
import type { AuditedPath, AuditedTable } from './audited-path.ts'
import type { AuditReport } from './report.ts'

/**
 * Makes URLs for every route of a table, in every locale, and matches them again; those of named routes are generated
 * as an application does.
 */
export function checkUrls(audited: AuditedTable, report: AuditReport): void {
  for (const route of audited.table.routes)
    report.guard(audited.module, () => checkRoute(route, audited, report))
}

function checkRoute(route: CompiledRoute, audited: AuditedTable, report: AuditReport): void {
  const { module, table } = audited
  const { target } = route
  // Refuses a name that table and claims share.
  if (target.name !== null) module.named(target.name)
  if (report.unreachable.has(target)) return
  for (const point of audited.points) {
    const path = audited.paths.find(
      (each) => each.route === route && report.model.spelling.answersIn(each.variant.locale, point.locale),
    )
    if (path !== undefined) {
      checkPath({ path, point }, audited, report)
      continue
    }
    const message = `${table.describe(route)} of ${module.label} has no path in "${point.locale}"`
    report.add(module, { code: 'missing-locale', message })
  }
}

interface Place {
  readonly path: AuditedPath
  readonly point: EntryPoint
}

function checkPath(place: Place, { module, table }: AuditedTable, report: AuditReport): void {
  const { path, point } = place
  const { target, methods, pattern } = path.variant
  const [method = 'GET'] = methods
  const label = table.describe(path.route)
  const examples = path.examples()
  let isFault = false
  let failure: string | null = 'no value was found that fits it'
  for (const texts of examples) {
    try {
      const url = makeUrl(place, texts, { module, model: report.model })
      // A name stands for the first method alone; without one, each method is a way to the route.
      const asked = target.name === null ? methods : [method]
      failure = report.matchAgain({ module, methods: asked, url, wanted: target, label })
      if (failure === null) return
      isFault ||= isProven(path)
    } catch (error) {
      if (!(error instanceof RoutingException)) throw error
      failure = error.message
      // Values that other routes take are refused; with others it may work. A type that throws has a cause.
      isFault ||= isProven(path) || error.code !== 'invalid-parameter' || error.cause !== undefined
    }
  }
  const fault = target.name === null ? 'unreachable-route' : 'url-not-generated'
  const [first] = examples
  report.add(module, {
    code: isFault ? fault : 'no-url-found',
    message: `no URL was found that reaches ${label} of ${module.label}, ${examples.length} were tried: ${failure}`,
    example:
      first === undefined ? null : `${method} ${report.model.spelling.path(point, first, pattern.hasSlash)}`,
  })
}

// Without placeholders the URL that was tried is the only one.
function isProven({ tail, segments }: AuditedPath): boolean {
  return tail === null && segments.every(({ literal }) => literal !== null)
}

function makeUrl(
  { path, point }: Place,
  texts: readonly string[],
  { module, model }: { readonly module: RoutedModule; readonly model: RoutingModel },
): string {
  const { target, methods, pattern } = path.variant
  const route = path.match(methods[0] ?? 'GET', texts)
  if (target.name === null || route === null) return model.spelling.path(point, texts, pattern.hasSlash)
  const name = `${module.declaration.segment}:${target.name}`
  return model.generation.url(name, paramsOf(path, route), point.locale ?? undefined)
}

function paramsOf({ variant }: AuditedPath, route: Route): GivenParams {
  const { pattern, target } = variant
  const values = pattern.placeholders.map(({ name, isRest }) => {
    // What a type reads it writes as well, whatever it is.
    const value = route.argument(name)
    const role = target.action.parameter(name)?.role
    // One segment takes one value also of a parameter that would take more.
    return [name, role === 'rest' && !isRest && Array.isArray(value) ? value[0] : value] as const
  })
  return Object.fromEntries(values)
}

import { type Route, RoutingException } from '../../routing/index.ts'
import type { CompiledRoute, GivenParams, Table } from '../../routing/internal.ts'
import type { AuditedPath, AuditedTable, Place } from './audited-path.ts'
import type { AuditReport } from './report.ts'

/**
 * Makes URLs for every route of a table, in every locale, and matches them again; those of named routes are generated
 * as an application does.
 */
export function checkUrls(audited: AuditedTable, report: AuditReport): void {
  for (const route of audited.table.routes)
    report.guard(audited.module, () => checkRoute(route, audited, report))
}

function checkRoute(
  route: CompiledRoute,
  { module, table, points, paths }: AuditedTable,
  report: AuditReport,
): void {
  const { target } = route
  // Refuses a name that table and claims share.
  if (target.name !== null) module.named(target.name)
  if (report.unreachable.has(target)) return
  const { spelling } = report.model
  for (const point of points) {
    const path = paths.find(
      (each) => each.route === route && spelling.answersIn(each.variant.locale, point.locale),
    )
    if (path !== undefined) checkPath({ path, point }, table, report)
    else {
      const message = `${table.describe(route)} of ${module.label} has no path in "${point.locale}"`
      report.add(module, { code: 'missing-locale', message })
    }
  }
}

function checkPath(place: Place, table: Table, report: AuditReport): void {
  const { path, point } = place
  const { module } = point
  const { target, methods } = path.variant
  const label = table.describe(path.route)
  // A name stands for the first method alone; without one, each method is a way to the route.
  const asked = target.name === null ? methods : methods.slice(0, 1)
  const examples = path.examples()
  let isFault = isProven(path)
  let failure: string | null = 'no value was found that fits it'
  for (const texts of examples) {
    try {
      const url = makeUrl(place, texts, report)
      failure = report.matchAgain({ module, methods: asked, url, wanted: target, label })
      if (failure === null) return
    } catch (error) {
      if (!(error instanceof RoutingException)) throw error
      failure = error.message
      // Values that other routes take are refused; with others it may work. A type that throws has a cause.
      isFault ||= error.code !== 'invalid-parameter' || error.cause !== undefined
    }
  }
  const fault = target.name === null ? 'unreachable-route' : 'url-not-generated'
  report.add(module, {
    code: isFault ? fault : 'no-url-found',
    message: `no URL was found that reaches ${label} of ${module.label}, ${examples.length} were tried: ${failure}`,
    example: report.exampleOf(place, examples),
  })
}

// Without placeholders the URL that was tried is the only one.
function isProven({ tail, segments }: AuditedPath): boolean {
  return tail === null && segments.every(({ literal }) => literal !== null)
}

function makeUrl(place: Place, texts: readonly string[], report: AuditReport): string {
  const { path, point } = place
  const { target, methods } = path.variant
  const route = path.match(methods[0] ?? 'GET', texts)
  if (target.name === null || route === null) return report.urlOf(place, texts)
  const name = `${point.module.declaration.segment}:${target.name}`
  return report.model.generation.url(name, paramsOf(path, route), point.locale ?? undefined)
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

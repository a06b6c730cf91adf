import { type Route, RoutingException } from '../../routing/index.ts'
import type { CompiledRoute, GivenParams, RoutingModel } from '../../routing/internal.ts'
import type { AuditedTable } from './audited-table.ts'
import type { AuditedPath } from './audited-path.ts'
import type { RouteFinding } from './finding.ts'
import type { AuditReport } from './report.ts'

/**
 * Makes URLs for every route of a table, in every locale, and matches them again; those of named routes are generated
 * as an application does.
 *
 * @param audited The table.
 * @param scope The application.
 * @param report Takes the findings and counts the URLs.
 */
export function checkUrls(audited: AuditedTable, scope: RoutingModel, report: AuditReport): void {
  for (const route of audited.table.routes)
    report.guard(audited.module, () => checkRoute(route, audited, { scope, report }))
}

interface Check {
  readonly scope: RoutingModel
  readonly report: AuditReport
}

function checkRoute(route: CompiledRoute, audited: AuditedTable, check: Check): void {
  const { scope, report } = check
  if (!checkName(route, audited, report) || report.unreachable.has(route.target)) return
  for (const point of audited.points) {
    const path = audited.paths.find(
      (each) => each.route === route && scope.spelling.answersIn(each.variant.locale, point.locale),
    )
    if (path === undefined) {
      const message = `${audited.table.describe(route)} of ${audited.module.label} has no path in "${point.locale}"`
      report.add(audited.module, { severity: 'note', code: 'missing-locale', message })
      continue
    }
    const at = (texts: readonly string[]): string =>
      scope.spelling.path(point, texts, path.variant.pattern.hasSlash)
    tryUrls({ path, locale: point.locale ?? undefined, at }, audited, check)
  }
}

function checkName({ target }: CompiledRoute, { module }: AuditedTable, report: AuditReport): boolean {
  if (target.name === null) return true
  try {
    module.named(target.name)
    return true
  } catch (error) {
    if (!(error instanceof RoutingException)) throw error
    const { message } = error
    if (!report.findings.some((finding) => finding.message === message))
      report.add(module, { code: 'duplicate-name', message })
    return false
  }
}

interface Tried {
  readonly path: AuditedPath
  readonly locale: string | undefined
  readonly at: (texts: readonly string[]) => string
}

function tryUrls(
  { path, locale, at }: Tried,
  { module, table }: AuditedTable,
  { scope, report }: Check,
): void {
  const [method = 'GET'] = path.variant.methods
  const { target } = path.variant
  const examples = path.examples()
  const isProven = path.tail === null && path.segments.every(({ literal }) => literal !== null)
  let failure = 'no value was found that fits it'
  let severity: RouteFinding['severity'] = 'note'
  for (const texts of examples) {
    const route = path.match(method, texts)
    if (route === null) continue
    try {
      const url =
        target.name === null
          ? at(texts)
          : scope.generation.url(
              `${module.declaration.segment}:${target.name}`,
              paramsOf(path, route),
              locale,
            )
      report.urls++
      // A name stands for the first method alone; without one, each method is a way to the route.
      const methods = target.name === null ? path.variant.methods : [method]
      const answered = methods.find((each) => scope.verify(each, url)?.target === target)
      if (answered !== undefined) {
        report.reached.push({ module, method: answered, url, label: table.describe(path.route) })
        return
      }
      const reached = scope.verify(method, url)
      failure = `"${method} ${url}" reaches ${reached === null ? 'nothing' : reached.target.action.label}`
      if (isProven) severity = 'fault'
    } catch (error) {
      if (!(error instanceof RoutingException)) throw error
      failure = error.message
      // Values that other routes take are refused; with others it may work. A type that throws has a cause.
      if (isProven || error.code !== 'invalid-parameter' || error.cause !== undefined) severity = 'fault'
    }
  }
  report.add(module, {
    severity,
    code:
      severity === 'note' ? 'no-url-found' : target.name === null ? 'unreachable-route' : 'url-not-generated',
    message: `no URL was found that reaches ${table.describe(path.route)} of ${module.label}, ${examples.length} were tried: ${failure}`,
    example: examples[0] === undefined ? null : `${method} ${at(examples[0])}`,
  })
}

function paramsOf({ variant }: AuditedPath, route: Route): GivenParams {
  const { pattern, target } = variant
  const values = pattern.placeholders.map(({ name, isRest }) => {
    // What a type reads it writes as well, whatever it is.
    const value = route.argument(name)
    const role = target.action.parameters.find((parameter) => parameter.name === name)?.role
    // One segment takes one value also of a parameter that would take more.
    return [name, role === 'rest' && !isRest && Array.isArray(value) ? value[0] : value] as const
  })
  return Object.fromEntries(values)
}

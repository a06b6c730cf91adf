import type { Action, RoutedModule, RoutingModel } from '../../routing/internal.ts'
import type { AuditedTable } from './audited-table.ts'
import { combine, conventionalSegments } from './audited-path.ts'
import { hiddenPoints } from './reachability.ts'
import { commonTexts } from './segment-language.ts'
import type { AuditReport } from './report.ts'

/**
 * Looks for actions that no URL reaches: no route leads to them, and the convention does not either.
 *
 * @param scope The application; modules whose tables do not compile are left out.
 * @param tables Its tables.
 * @param report Takes the findings and counts the URLs.
 * @returns How many actions answer by convention.
 */
export function checkActions(
  scope: RoutingModel,
  tables: readonly AuditedTable[],
  report: AuditReport,
): number {
  const routed = new Set(tables.flatMap(({ table }) => table.routes.map(({ target }) => target.action)))
  const listed = new Set<Action>()
  let conventional = 0
  for (const module of scope.modules) {
    // Of a mount that is never asked it is said once that it is not.
    const isAsked = hiddenPoints(module, scope).length < scope.entries.pointsOf(module).length
    for (const action of module.actions()) {
      listed.add(action)
      if (module.convention === null) {
        if (!routed.has(action)) tellUnrouted(action, module, report)
      } else if (!module.owns(action)) {
        conventional++
        if (isAsked) report.guard(module, () => checkConventional(action, { module, scope, tables, report }))
      }
    }
  }
  for (const { module, table } of tables) {
    const controllers = new Set(table.routes.map(({ target }) => target.action.controller))
    for (const controller of controllers) {
      for (const action of scope.catalog.of(controller).values()) {
        if (listed.has(action) || routed.has(action)) continue
        listed.add(action)
        tellUnrouted(action, module, report)
      }
    }
  }
  return conventional
}

function tellUnrouted(action: Action, module: RoutedModule, report: AuditReport): void {
  const isNote = module.steps.some(({ kind }) => kind === 'resolver')
  if (report.unreachable.has(action)) return
  report.unreachable.add(action)
  const reason = isNote
    ? 'it is left to the resolvers'
    : 'no URL reaches it; route to it or drop it from the actions'
  report.add(module, {
    severity: isNote ? 'note' : 'fault',
    code: isNote ? 'left-to-resolvers' : 'unreachable-action',
    message: `no route of ${module.label} leads to ${action.label}: ${reason}`,
  })
}

interface Checked {
  readonly module: RoutedModule
  readonly scope: RoutingModel
  readonly tables: readonly AuditedTable[]
  readonly report: AuditReport
}

function checkConventional(action: Action, { module, scope, tables, report }: Checked): void {
  const { convention } = module
  const base = convention?.spell(action, action.required) ?? []
  const segments = conventionalSegments(action, base)
  const method = action.verb ?? 'GET'
  const own = tables.find((audited) => audited.table === module.table)
  let failure = ''
  let example: string | null = null
  for (const point of scope.entries.pointsOf(module)) {
    for (const texts of combine(segments.map((segment) => commonTexts([segment])))) {
      const url = scope.spelling.path(point, texts, false)
      example ??= `${method} ${url}`
      report.urls++
      const reached = scope.verify(method, url)
      if (reached?.target.action === action) {
        report.reached.push({ module, method, url, label: action.label })
        return
      }
      failure = `"${method} ${url}" reaches ${reached === null ? 'nothing' : reached.target.action.label}`
    }
  }
  const cover = own?.paths.find((path) => path.covers({ segments, tail: null }))
  const reason = cover === undefined ? failure : `${own?.table.describe(cover.route)} takes its URLs`
  // Without parameters the URL that was tried is the only one.
  const isProven = action.maximum === 0 || (cover !== undefined && action.maximum === action.required)
  report.add(module, {
    severity: isProven ? 'fault' : 'note',
    code: isProven ? 'unreachable-action' : 'no-url-found',
    message: `no URL was found that reaches ${action.label} of ${module.label} by convention: ${reason}`,
    example,
  })
}

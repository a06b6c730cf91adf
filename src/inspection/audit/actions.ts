import type { Action, RoutedModule } from '../../routing/internal.ts'
import { type AuditedTable, combine, conventionalSegments } from './audited-path.ts'
import { hiddenPoints } from './reachability.ts'
import { commonTexts } from './segment-language.ts'
import type { AuditReport } from './report.ts'

/** Looks for actions that no URL reaches: no route leads to them, and the convention does not either. */
export function checkActions(
  modules: readonly RoutedModule[],
  tables: readonly AuditedTable[],
  report: AuditReport,
): void {
  const { catalog, entries } = report.model
  const routed = new Set(tables.flatMap(({ table }) => table.routes.map(({ target }) => target.action)))
  const listed = new Set<Action>()
  for (const module of modules) {
    // Of a mount that is never asked it is said once that it is not.
    const isAsked = hiddenPoints(module, report.model).length < entries.pointsOf(module).length
    for (const action of module.actions()) {
      listed.add(action)
      if (module.convention === null) {
        if (!routed.has(action)) reportUnrouted(action, module, report)
      } else if (!module.owns(action)) {
        report.routes++
        if (isAsked) report.guard(module, () => checkConventional(action, { module, tables, report }))
      }
    }
  }
  for (const { module, table } of tables) {
    const controllers = new Set(table.routes.map(({ target }) => target.action.controller))
    for (const action of [...controllers].flatMap((controller) => [...catalog.of(controller).values()])) {
      if (listed.has(action) || routed.has(action)) continue
      listed.add(action)
      reportUnrouted(action, module, report)
    }
  }
}

function reportUnrouted(action: Action, module: RoutedModule, report: AuditReport): void {
  if (report.unreachable.has(action)) return
  report.unreachable.add(action)
  const hasResolver = module.steps.some(({ kind }) => kind === 'resolver')
  const reason = hasResolver
    ? 'it is left to the resolvers'
    : 'no URL reaches it; route to it or drop it from the actions'
  report.add(module, {
    code: hasResolver ? 'left-to-resolvers' : 'unreachable-action',
    message: `no route of ${module.label} leads to ${action.label}: ${reason}`,
  })
}

interface Checked {
  readonly module: RoutedModule
  readonly tables: readonly AuditedTable[]
  readonly report: AuditReport
}

function checkConventional(action: Action, { module, tables, report }: Checked): void {
  const { entries, spelling } = report.model
  const { label } = action
  const segments = conventionalSegments(action, module.convention?.spell(action, action.required) ?? [])
  const methods = [action.verb ?? 'GET']
  let failure: string | null = ''
  let example: string | null = null
  for (const point of entries.pointsOf(module)) {
    for (const texts of combine(segments.map((segment) => commonTexts([segment])))) {
      const url = spelling.path(point, texts, false)
      example ??= `${methods[0]} ${url}`
      failure = report.matchAgain({ module, methods, url, wanted: action, label })
      if (failure === null) return
    }
  }
  const own = tables.find(({ table }) => table === module.table)
  const cover = own?.paths.find((path) => path.covers({ segments, tail: null }))
  const reason = cover === undefined ? failure : `${own?.table.describe(cover.route)} takes its URLs`
  // Without parameters the URL that was tried is the only one.
  const isProven = action.maximum === 0 || (cover !== undefined && action.maximum === action.required)
  report.add(module, {
    code: isProven ? 'unreachable-action' : 'no-url-found',
    message: `no URL was found that reaches ${label} of ${module.label} by convention: ${reason}`,
    example,
  })
}

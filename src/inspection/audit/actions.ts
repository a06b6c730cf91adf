import type { Action, RoutedModule } from '../../routing/internal.ts'
import { type AuditedTable, combine } from './audited-path.ts'
import { hiddenPoints } from './reachability.ts'
import { commonTexts, languageOfType, literalLanguage } from './segment-language.ts'
import type { AuditReport } from './report.ts'

/** Looks for actions that no URL reaches: no route leads to them, and no convention does either. */
export function checkActions(
  modules: readonly RoutedModule[],
  tables: readonly AuditedTable[],
  report: AuditReport,
): void {
  const { catalog, entries } = report.model
  const known = new Set(tables.flatMap(({ table }) => table.routes.map(({ target }) => target.action)))
  for (const module of modules) {
    if (module.convention === null) continue
    // Of a mount that is never asked it is said once that it is not.
    const isAsked = hiddenPoints(module, report).length < entries.pointsOf(module).length
    const own = tables.find(({ table }) => table === module.table)
    for (const action of module.actions()) {
      if (isAsked) known.add(action)
      if (module.owns(action)) continue
      report.routes++
      if (isAsked) report.guard(module, () => checkConventional(action, { module, own }, report))
    }
  }
  const listed = modules.map((module) => ({ module, actions: module.actions() }))
  const unlisted = tables.map(({ module, table }) => {
    const controllers = [...new Set(table.routes.map(({ target }) => target.action.controller))]
    return { module, actions: controllers.flatMap((controller) => [...catalog.of(controller).values()]) }
  })
  for (const { module, actions } of listed)
    if (module.convention === null) reportUnrouted(actions, module, { known, report })
  // What a module lists is said of that module, or of its mount.
  for (const action of listed.flatMap(({ actions }) => actions)) known.add(action)
  for (const { module, actions } of unlisted) reportUnrouted(actions, module, { known, report })
}

function reportUnrouted(
  actions: readonly Action[],
  module: RoutedModule,
  { known, report }: { readonly known: Set<Action>; readonly report: AuditReport },
): void {
  const isLeft = module.steps.some(({ kind }) => kind === 'resolver')
  const code = isLeft ? 'left-to-resolvers' : 'unreachable-action'
  const reason = isLeft
    ? 'it is left to the resolvers'
    : 'no URL reaches it; route to it or drop it from the actions'
  for (const action of actions) {
    if (known.has(action)) continue
    known.add(action)
    report.add(module, { code, message: `no route of ${module.label} leads to ${action.label}: ${reason}` })
  }
}

function checkConventional(
  action: Action,
  { module, own }: { readonly module: RoutedModule; readonly own: AuditedTable | undefined },
  report: AuditReport,
): void {
  const { entries, spelling } = report.model
  const { label } = action
  const spelled = module.convention?.spell(action, action.required) ?? []
  const required = action.parameters.slice(0, action.required)
  const segments = [...spelled.map(literalLanguage), ...required.map(({ type }) => languageOfType(type))]
  const examples = combine(segments.map((segment) => commonTexts([segment])))
  const methods = [action.verb ?? 'GET']
  let failure: string | null = ''
  let example: string | null = null
  for (const point of entries.pointsOf(module)) {
    for (const texts of examples) {
      const url = spelling.path(point, texts, false)
      example ??= `${methods[0]} ${url}`
      failure = report.matchAgain({ module, methods, url, wanted: action, label })
      if (failure === null) return
    }
  }
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

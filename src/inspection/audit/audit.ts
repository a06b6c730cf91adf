import { placedMessage, shown } from '../../core/internal.ts'
import { RoutingException } from '../../routing/index.ts'
import type { RoutedModule, RoutingModel, Table } from '../../routing/internal.ts'
import { checkActions } from './actions.ts'
import { checkControllers, type ControllerTrial } from './controllers.ts'
import { checkForeignPlaceholders } from './foreign-placeholders.ts'
import { AuditedPath, type AuditedTable } from './audited-path.ts'
import { checkPairs } from './pairs.ts'
import { checkReachable, hiddenPoints } from './reachability.ts'
import { AuditReport } from './report.ts'
import { checkUrls } from './urls.ts'

/** Checks the routes of an application by its tables and conventions, and builds its controllers by a trial. */
export function checkRoutes(model: RoutingModel, trial: ControllerTrial): AuditReport {
  const { modules } = model
  const report = new AuditReport(model)
  const tables = modules.flatMap((module) => compileTables(module, report))
  const broken = new Set(report.findings.map(({ module }) => module))
  for (const module of modules) checkMount(module, report)
  for (const table of tables) {
    checkEmpty(table, report)
    checkForeignPlaceholders(table, report)
    report.guard(table.module, () => checkReachable(table, report))
    report.guard(table.module, () => checkPairs(table, report))
  }
  const whole = tables.filter(({ module }) => !broken.has(module.name))
  for (const table of whole) checkUrls(table, report)
  const sound = modules.filter(({ name }) => !broken.has(name))
  checkActions(sound, whole, report)
  checkControllers(modules, tables, { report, trial })
  for (const { table } of tables) report.routes += table.routes.length
  return report
}

function compileTables(module: RoutedModule, report: AuditReport): readonly AuditedTable[] {
  return module.owners.flatMap((owner): AuditedTable[] => {
    const { table } = owner
    if (table === null) return []
    try {
      const paths = table.routes.flatMap((route) =>
        route.variants.map((variant) => new AuditedPath(route, variant)),
      )
      return [{ module, table, points: report.model.entries.pointsOf(owner), paths }]
    } catch (error) {
      report.add(module, { code: 'does-not-compile', message: messageOf(error, table) })
      return []
    }
  })
}

// What declares routes is code of the application, which may throw anything.
function messageOf(error: unknown, { label }: Table): string {
  if (error instanceof RoutingException) return `${error.message} [${error.code}]`
  const what = `Cannot compile the routes of ${label}`
  if (!(error instanceof Error)) return `${what}: what declares them threw ${shown(error)}`
  if (error.message.startsWith(what)) return error.message
  return `${what}. ${error.name}: ${placedMessage(error)}`
}

// It may be deliberate: a condition around the routes, or a path that nothing should answer.
function checkEmpty({ module, table }: AuditedTable, report: AuditReport): void {
  const empty = table.emptyGroups().map((group) => `${group} of ${table.label}`)
  const whole = module.table === table ? `routes() of ${table.label}` : table.label
  for (const label of empty.length === 0 && table.routes.length === 0 ? [whole] : empty) {
    report.add(module, { code: 'declares-nothing', message: `${label} declares no routes` })
  }
}

// Only the module itself may claim its own segment, and then nothing of its mount is left.
function checkMount(module: RoutedModule, report: AuditReport): void {
  for (const point of hiddenPoints(module, report)) {
    if (module.table === null && (module.convention === null || module.actions().length === 0)) continue
    const path = `/${point.prefix.join('/')}`
    const message = `the mount of ${module.label} is never asked: its own claim takes "${path}"`
    report.add(module, { code: 'unreachable-mount', message, example: `GET ${path}` })
  }
}

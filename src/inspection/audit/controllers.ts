import type { ControllerClass } from '../../routing/index.ts'
import type { RoutedModule } from '../../routing/internal.ts'
import type { AuditedTable } from './audited-path.ts'
import type { AuditReport } from './report.ts'

/** Says why a controller cannot be built for a request; null if it can. */
export type ControllerTrial = (controller: ControllerClass) => string | null

/** Builds each controller once that a module lists or a table leads to: a service that cannot be built fails every request. */
export function checkControllers(
  modules: readonly RoutedModule[],
  tables: readonly AuditedTable[],
  { report, trial }: { readonly report: AuditReport; readonly trial: ControllerTrial },
): void {
  const tried = new Set<ControllerClass>()
  for (const module of modules) {
    const own = tables.filter((table) => table.module === module)
    const routed = own.flatMap(({ table }) => table.routes.map(({ target }) => target.action.controller))
    for (const controller of [...module.declaration.controllers, ...routed]) {
      if (tried.has(controller)) continue
      tried.add(controller)
      const reason = trial(controller)
      if (reason === null) continue
      const message = `no request can build ${controller.name} of ${module.label}: ${reason}`
      report.add(module, { code: 'does-not-compile', message })
    }
  }
}

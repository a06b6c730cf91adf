/** A page that only tests have, behind a permission that no part knows, or behind a step-up. @module */
import { Controller, defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin, RequirePermission } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../core/step-up/require-step-up.ts'
import type { StepUpRule } from '../../core/step-up/step-up.ts'

/** The permission. */
export const READ_REPORTS = 'reports.read'

class ReportController extends Controller {
  static readonly actions = { index: [] }

  index(): string {
    return 'The reports'
  }
}

/** The page, at `/reports`: `World.create(test, { modules: [reports] })`. */
export const reports: ModuleDefinition = defineModule('Reports', (module) =>
  module
    .withoutConventionRouting()
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin, RequirePermission.of(READ_REPORTS))
    .routes((routes) => {
      routes.get('/', [ReportController, 'index'])
    }),
)

/** @returns The page, at `/figures`, behind a step-up with this rule. */
export function figuresBehind(rule: StepUpRule): ModuleDefinition {
  return defineModule('Figures', (module) =>
    module
      .withoutConventionRouting()
      .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin, RequireStepUp.of(rule))
      .routes((routes) => {
        routes.get('/', [ReportController, 'index'])
      }),
  )
}

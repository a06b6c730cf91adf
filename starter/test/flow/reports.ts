/** A page that only tests have, behind a permission that no part knows. @module */
import { Controller, defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin, RequirePermission } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'

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

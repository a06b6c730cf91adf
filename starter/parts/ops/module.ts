import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { OpsErrors } from './ops-errors.ts'
import { OpsGate } from './ops-gate.ts'
import { StatusController } from './status-controller.ts'

// For operators, apart from the accounts: they get in when nobody can sign in. A browser sends Basic credentials by itself, as it
// sends cookies, so the form has a CSRF token like any other.
const ops: ModuleDefinition = defineModule('Ops', (module) =>
  module
    .mount('ops')
    .withoutConventionRouting()
    .errors(OpsErrors)
    .controllers(StatusController)
    .middleware(OpsGate, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [StatusController, 'index']).name('status')
      routes.post('/trim', [StatusController, 'trimPost']).name('trim')
    }),
)

export default ops

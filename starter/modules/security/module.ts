import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../identity/sessions/guards.ts'
import { ResolveIdentity } from '../../identity/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../identity/step-up/require-step-up.ts'
import { ConfirmController } from './confirm-controller.ts'
import { RecoveryCodesController } from './recovery-codes-controller.ts'

// Pages about signing in, for those who are signed in. Where something is changed, password and factor were proven just before.
const security: ModuleDefinition = defineModule('Security', (module) =>
  module
    .withoutConventionRouting()
    .controllers(ConfirmController, RecoveryCodesController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin)
    .claim('/account/confirm', (routes) => {
      routes.get('/', [ConfirmController, 'index']).name('confirm')
      routes.post('/', [ConfirmController, 'indexPost'])
    })
    .claim('/account/recovery-codes', (routes) => {
      routes.middleware(RequireStepUp.of('step-up.action.recovery-codes')).group((guarded) => {
        guarded.get('/', [RecoveryCodesController, 'index']).name('recovery-codes')
        guarded.post('/', [RecoveryCodesController, 'indexPost'])
      })
    }),
)

export default security

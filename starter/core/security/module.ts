import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../sessions/guards.ts'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { RequireStepUp } from '../step-up/require-step-up.ts'
import { ConfirmController } from './confirm-controller.ts'
import { FactorController } from './factor-controller.ts'
import { OverviewController } from './overview-controller.ts'
import { PasswordController } from './password-controller.ts'
import { RecoveryCodesController } from './recovery-codes-controller.ts'
import { SetupController } from './setup-controller.ts'

const mending = (action: string) => RequireStepUp.of({ action, mendsLoss: true })

// Pages about signing in, for those who are signed in. Where something is changed, password and factor were proven just before.
const security: ModuleDefinition = defineModule('Security', (module) =>
  module
    .withoutConventionRouting()
    .controllers(
      OverviewController,
      ConfirmController,
      SetupController,
      FactorController,
      RecoveryCodesController,
      PasswordController,
    )
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin)
    .claim('/account/security', (routes) => {
      routes.get('/', [OverviewController, 'index']).name('home')
      routes.middleware(mending('step-up.action.add-factor')).group((guarded) => {
        guarded.get('/add', [SetupController, 'index']).name('add')
        guarded.post('/add', [SetupController, 'indexPost'])
      })
      routes.middleware(mending('step-up.action.replace-factor')).group((guarded) => {
        guarded.get('/factors/{id}/replace', [SetupController, 'replace']).name('replace')
        guarded.post('/factors/{id}/replace', [SetupController, 'replacePost'])
      })
      routes.middleware(RequireStepUp.of('step-up.action.rename-factor')).group((guarded) => {
        guarded.get('/factors/{id}/rename', [FactorController, 'rename']).name('rename')
        guarded.post('/factors/{id}/rename', [FactorController, 'renamePost'])
      })
      routes.middleware(RequireStepUp.of('step-up.action.remove-factor')).group((guarded) => {
        guarded.get('/factors/{id}/remove', [FactorController, 'remove']).name('remove')
        guarded.post('/factors/{id}/remove', [FactorController, 'removePost'])
      })
    })
    .claim('/account/password', (routes) => {
      routes.middleware(mending('step-up.action.password')).group((guarded) => {
        guarded.get('/', [PasswordController, 'index']).name('password')
        guarded.post('/', [PasswordController, 'indexPost'])
      })
    })
    .claim('/account/confirm', (routes) => {
      routes.get('/', [ConfirmController, 'index']).name('confirm')
      routes.post('/', [ConfirmController, 'indexPost'])
    })
    .claim('/account/recovery-codes', (routes) => {
      routes.middleware(mending('step-up.action.recovery-codes')).group((guarded) => {
        guarded.get('/', [RecoveryCodesController, 'index']).name('recovery-codes')
        guarded.post('/', [RecoveryCodesController, 'indexPost'])
      })
    }),
)

export default security

import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../core/step-up/require-step-up.ts'
import { DeletionController } from './deletion-controller.ts'
import { DeletionLinkController } from './deletion-link-controller.ts'

// What follows the request needs no login: its owner is signed out by then, or somebody else asked for it.
const deletion: ModuleDefinition = defineModule('Deletion', (module) =>
  module
    .withoutConventionRouting()
    .controllers(DeletionController, DeletionLinkController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .claim('/account/delete', (routes) => {
      routes.middleware(RequireLogin, RequireStepUp.of('step-up.action.delete-account')).group((guarded) => {
        guarded.get('/', [DeletionController, 'index']).name('ask')
        guarded.post('/', [DeletionController, 'indexPost'])
      })
    })
    .claim('/deletion', (routes) => {
      routes.get('/stop/{token}', [DeletionLinkController, 'stop']).name('stop')
      routes.post('/stop/{token}', [DeletionLinkController, 'stopPost'])
    }),
)

export default deletion

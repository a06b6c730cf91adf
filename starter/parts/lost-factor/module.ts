import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { LostController } from './lost-controller.ts'
import { RecoveryLinkController } from './recovery-link-controller.ts'

// Public as the login is: whoever has lost a factor is not signed in. Only stopping a recovery without a link needs a login.
const lost: ModuleDefinition = defineModule('Lost', (module) =>
  module
    .mount('lost')
    .withoutConventionRouting()
    .controllers(LostController, RecoveryLinkController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [LostController, 'index']).name('start')
      routes.post('/', [LostController, 'indexPost'])
      routes.post('/continue', [LostController, 'continuePost']).name('continue')
      routes.get('/confirm/{token}', [RecoveryLinkController, 'confirm']).name('confirm')
      routes.post('/confirm/{token}', [RecoveryLinkController, 'confirmPost'])
      routes.get('/cancel/{token}', [RecoveryLinkController, 'cancel']).name('cancel')
      routes.post('/cancel/{token}', [RecoveryLinkController, 'cancelPost'])
      routes.middleware(RequireLogin).group((guarded) => {
        guarded.post('/stop', [RecoveryLinkController, 'stopPost']).name('stop')
      })
    }),
)

export default lost

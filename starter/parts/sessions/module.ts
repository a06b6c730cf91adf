import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../core/step-up/require-step-up.ts'
import { SessionsController } from './sessions-controller.ts'

// Where a user is signed in. Ending sessions needs a fresh proof: otherwise whoever copied the cookie
// of one could sign the owner out again and again, faster than the owner ends theirs.
const sessions: ModuleDefinition = defineModule('Sessions', (module) =>
  module
    .withoutConventionRouting()
    .controllers(SessionsController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .claim('/account/sessions', (routes) => {
      routes.middleware(RequireLogin).group((guarded) => {
        guarded.get('/', [SessionsController, 'index']).name('home')
        guarded
          .middleware(RequireStepUp.of({ action: 'step-up.action.end-session', mendsLoss: true }))
          .group((confirmed) => {
            // The confirmation leads back to these paths, and from there to the list.
            confirmed.get('/end', [SessionsController, 'list'])
            confirmed.post('/end', [SessionsController, 'endPost']).name('end')
            confirmed.get('/others', [SessionsController, 'list'])
            confirmed.post('/others', [SessionsController, 'othersPost']).name('others')
          })
        guarded
          .middleware(RequireStepUp.of({ action: 'step-up.action.end-sessions', mendsLoss: true }))
          .group((confirmed) => {
            confirmed.get('/all', [SessionsController, 'all']).name('all')
            confirmed.post('/all', [SessionsController, 'allPost'])
          })
      })
    }),
)

export default sessions

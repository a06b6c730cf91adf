import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../core/step-up/require-step-up.ts'
import { NewTokenController } from './new-token-controller.ts'
import { TokensController } from './tokens-controller.ts'

/**
 * The tokens of an account. Making one, and letting one count again, gives somebody power: password and factor are asked for. Revoking
 * takes power away, and a person who is in a hurry has to prove nothing more.
 */
export const tokens: ModuleDefinition = defineModule('Tokens', (module) =>
  module
    .withoutConventionRouting()
    .controllers(TokensController, NewTokenController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin)
    .claim('/account/security/tokens', (routes) => {
      routes.get('/', [TokensController, 'index']).name('list')
      routes.post('/{id}/revoke', [TokensController, 'revokePost']).name('revoke')
      routes.middleware(RequireStepUp.of('step-up.action.token-new')).group((guarded) => {
        guarded.get('/new', [NewTokenController, 'index']).name('new')
        guarded.post('/new', [NewTokenController, 'indexPost'])
      })
      routes.middleware(RequireStepUp.of('step-up.action.token-confirm')).group((guarded) => {
        guarded.get('/{id}/confirm', [TokensController, 'confirm']).name('confirm')
        guarded.post('/{id}/confirm', [TokensController, 'confirmPost'])
      })
    }),
)

import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { TrustedBrowsersController } from './trusted-browsers-controller.ts'

// Ending the trust in a browser takes power away, as ending a session does, and a person who is in a hurry has to prove nothing more.
const trustedBrowsers: ModuleDefinition = defineModule('TrustedBrowsers', (module) =>
  module
    .withoutConventionRouting()
    .controllers(TrustedBrowsersController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin)
    .claim('/account/security/devices', (routes) => {
      routes.post('/revoke-all', [TrustedBrowsersController, 'revokeAllPost']).name('revoke-all')
      routes.post('/{id}/revoke', [TrustedBrowsersController, 'revokePost']).name('revoke')
    }),
)

export default trustedBrowsers

import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../identity/sessions/guards.ts'
import { ResolveIdentity } from '../../identity/sessions/resolve-identity.ts'
import { DevicesController } from './devices-controller.ts'

// Only in an installation that switched trusted browsers on. Ending the trust in one takes power away, as ending a session
// does, and a person who is in a hurry has to prove nothing more.
const devices: ModuleDefinition = defineModule('Devices', (module) =>
  module
    .withoutConventionRouting()
    .controllers(DevicesController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin)
    .claim('/account/security/devices', (routes) => {
      routes.post('/revoke-all', [DevicesController, 'revokeAllPost']).name('revoke-all')
      routes.post('/{id}/revoke', [DevicesController, 'revokePost']).name('revoke')
    }),
)

export default devices

import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../core/step-up/require-step-up.ts'
import { AddPasskeyController } from './add-controller.ts'
import { ConfirmPasskeyController } from './confirm-controller.ts'
import { PasskeyDoorController } from './door-controller.ts'
import { PasskeyEndpointsController } from './endpoints-controller.ts'
import { EnrollPasskeyController } from './enrollment-controller.ts'
import { PasskeySignInController } from './sign-in-controller.ts'

// Whoever signs in or must add a passkey first is nobody yet; what is below `/account` is of a signed-in user.
const passkeys: ModuleDefinition = defineModule('Passkeys', (module) =>
  module
    .mount('passkey')
    .withoutConventionRouting()
    .controllers(PasskeySignInController, PasskeyDoorController, EnrollPasskeyController)
    .controllers(AddPasskeyController, ConfirmPasskeyController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.post('/', [PasskeySignInController, 'indexPost']).name('sign-in')
      routes.get('/second-step', [PasskeyDoorController, 'index']).name('door')
      routes.post('/second-step', [PasskeyDoorController, 'indexPost'])
      routes.get('/enroll', [EnrollPasskeyController, 'index']).name('enroll')
      routes.post('/enroll', [EnrollPasskeyController, 'indexPost'])
    })
    .claim('/account/passkeys', (routes) => {
      routes.middleware(RequireLogin).group((inside) => {
        inside.post('/confirm', [ConfirmPasskeyController, 'indexPost']).name('confirm')
        inside
          .middleware(
            RequireStepUp.of({ action: 'step-up.action.add-factor', page: 'security', mendsLoss: true }),
          )
          .group((guarded) => {
            guarded.get('/new', [AddPasskeyController, 'index']).name('new')
            guarded.post('/new', [AddPasskeyController, 'indexPost'])
          })
      })
    }),
)

// Public: no session, and no cookie.
export const endpoints: ModuleDefinition = defineModule('PasskeyEndpoints', (module) =>
  module
    .withoutConventionRouting()
    .controllers(PasskeyEndpointsController)
    .claim('/.well-known/passkey-endpoints', (routes) => {
      routes.get('/', [PasskeyEndpointsController, 'index'])
    }),
)

export default passkeys

import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../core/step-up/require-step-up.ts'
import { AddressController } from './address-controller.ts'
import { AddressLinkController } from './address-link-controller.ts'

// Only in an application that can send mails: a new address is confirmed by one. The links need no login, because their owner may
// read mails in another browser, or be locked out.
const address: ModuleDefinition = defineModule('Address', (module) =>
  module
    .withoutConventionRouting()
    .controllers(AddressController, AddressLinkController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .claim('/account/address', (routes) => {
      routes.middleware(RequireLogin).group((inside) => {
        inside.get('/sent', [AddressController, 'sent']).name('sent')
        inside.middleware(RequireStepUp.of('step-up.action.address')).group((guarded) => {
          guarded.get('/', [AddressController, 'index']).name('change')
          guarded.post('/', [AddressController, 'indexPost'])
        })
      })
    })
    .claim('/address', (routes) => {
      routes.get('/confirm/{token}', [AddressLinkController, 'confirm']).name('confirm')
      routes.post('/confirm/{token}', [AddressLinkController, 'confirmPost'])
      routes.get('/restore/{token}', [AddressLinkController, 'restore']).name('restore')
      routes.post('/restore/{token}', [AddressLinkController, 'restorePost'])
    }),
)

export default address

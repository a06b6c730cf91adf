import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { UnlockController } from './unlock-controller.ts'

// Only in an application that can send mails: the link is in one. It needs no login, because its owner is locked out.
const unlock: ModuleDefinition = defineModule('Unlock', (module) =>
  module
    .mount('unlock')
    .withoutConventionRouting()
    .controllers(UnlockController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/{token}', [UnlockController, 'index']).name('start')
      routes.post('/{token}', [UnlockController, 'indexPost'])
    }),
)

export default unlock

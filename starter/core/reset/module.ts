import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { ResetController } from './reset-controller.ts'

// Only in an application that can send mails: the link is in one.
const reset: ModuleDefinition = defineModule('Reset', (module) =>
  module
    .mount('forgot')
    .withoutConventionRouting()
    .controllers(ResetController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [ResetController, 'index']).name('start')
      routes.post('/', [ResetController, 'indexPost'])
      routes.get('/sent', [ResetController, 'sent']).name('sent')
      routes.get('/{token}', [ResetController, 'choose']).name('choose')
      routes.post('/{token}', [ResetController, 'choosePost'])
    }),
)

export default reset

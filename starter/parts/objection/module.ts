import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { ObjectionController } from './objection-controller.ts'

// Only in an application that can send mails: the link is in one. It needs no login, because its owner may be locked out.
const objection: ModuleDefinition = defineModule('Objection', (module) =>
  module
    .mount('not-me')
    .withoutConventionRouting()
    .controllers(ObjectionController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/{token}', [ObjectionController, 'index']).name('start')
      routes.post('/{token}', [ObjectionController, 'indexPost'])
    }),
)

export default objection

import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { MailCodeController } from './mail-code-controller.ts'

// Only in an installation that switched codes by mail on.
const mailCode: ModuleDefinition = defineModule('MailCode', (module) =>
  module
    .mount('mail-code')
    .withoutConventionRouting()
    .controllers(MailCodeController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [MailCodeController, 'index']).name('start')
      routes.post('/', [MailCodeController, 'indexPost'])
      routes.post('/send', [MailCodeController, 'sendPost']).name('send')
    }),
)

export default mailCode

import { defineModule, type ModuleDefinition } from 'sallyport'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { MailboxController } from './mailbox-controller.ts'

// Only in an application with a mailbox: production has none.
const development: ModuleDefinition = defineModule('Development', (module) =>
  module
    .mount('dev')
    .withoutConventionRouting()
    .controllers(MailboxController)
    .middleware(ResolveIdentity)
    .routes((routes) => {
      routes.get('/mail', [MailboxController, 'index']).name('mailbox')
    }),
)

export default development

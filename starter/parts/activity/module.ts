import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { ActivityController } from './activity-controller.ts'

// What happened on the account, for its owner.
const activity: ModuleDefinition = defineModule('Activity', (module) =>
  module
    .withoutConventionRouting()
    .controllers(ActivityController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin)
    .claim('/account/activity', (routes) => {
      routes.get('/', [ActivityController, 'index']).name('home')
      routes.get('/csv', [ActivityController, 'csvFile']).name('csv')
      routes.get('/json', [ActivityController, 'jsonFile']).name('json')
    }),
)

export default activity

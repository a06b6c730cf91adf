import { defineModule, type ModuleDefinition } from 'sallyport'
import { ResolveIdentity } from '../../identity/sessions/resolve-identity.ts'
import { HomeController } from './home-controller.ts'

// Mounted at the root. Nothing here changes state or requires a login, so neither CSRF protection nor a guard is needed.
const site: ModuleDefinition = defineModule('Site', (module) =>
  module
    .mount('/')
    .withoutConventionRouting()
    .controllers(HomeController)
    .routes((routes) => {
      routes.get('/', [HomeController, 'index']).middleware(ResolveIdentity).name('home')
    }),
)

export default site

import { defineModule, type ModuleDefinition } from 'sallyport'
import { ResolveIdentity } from '../../identity/resolve-identity.ts'
import { AssetController } from './asset-controller.ts'
import { HomeController } from './home-controller.ts'

// Owns the root. Nothing here changes state, so there is no CSRF protection; nothing needs a login.
const site: ModuleDefinition = defineModule('Site', (module) =>
  module
    .mount('/')
    .withoutConventionRouting()
    .controllers(HomeController, AssetController)
    .routes((routes) => {
      routes.get('/', [HomeController, 'index']).middleware(ResolveIdentity).name('home')
      routes.get('/assets/{file}', [AssetController, 'show']).name('asset')
    }),
)

export default site

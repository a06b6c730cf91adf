import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../../identity/sessions/resolve-identity.ts'
import { HomeController } from './home-controller.ts'
import { LanguageController } from './language-controller.ts'

// Mounted at the root. Nothing here requires a login, and only the choice of a language changes anything.
const site: ModuleDefinition = defineModule('Site', (module) =>
  module
    .mount('/')
    .withoutConventionRouting()
    .controllers(HomeController, LanguageController)
    .routes((routes) => {
      routes.get('/', [HomeController, 'index']).middleware(ResolveIdentity).name('home')
      routes.middleware(ResolveIdentity, CsrfMiddleware).group((group) => {
        group.get('/language', [LanguageController, 'index']).name('language')
        group.post('/language', [LanguageController, 'indexPost'])
      })
    }),
)

export default site

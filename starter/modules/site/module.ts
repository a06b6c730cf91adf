import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../../identity/sessions/resolve-identity.ts'
import { HelpController } from '../help/help-controller.ts'
import { helpRoutes } from '../help/routes.ts'
import { HomeController } from './home-controller.ts'
import { LanguageController } from './language-controller.ts'
import { PageResolver } from './page-resolver.ts'
import { PublishedPageController } from './published-page-controller.ts'

// Mounted at the root. Nothing here requires a login, and only the choice of a language changes anything.
const site: ModuleDefinition = defineModule('Site', (module) =>
  module
    .mount('/')
    .withoutConventionRouting()
    .controllers(HomeController, LanguageController, HelpController, PublishedPageController)
    .middleware(ResolveIdentity)
    .routes((routes) => {
      routes.get('/', [HomeController, 'index']).name('home')
      routes.middleware(CsrfMiddleware).group((group) => {
        group.get('/language', [LanguageController, 'index']).name('language')
        group.post('/language', [LanguageController, 'indexPost'])
      })
      helpRoutes(routes)
    })
    // Behind the table.
    .resolver(PageResolver, { priority: 500 }),
)

export default site

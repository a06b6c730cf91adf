import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireAdmin } from '../../identity/sessions/guards.ts'
import { ResolveIdentity } from '../../identity/sessions/resolve-identity.ts'
import { HomeController } from './home-controller.ts'

// Everything here is protected: identity, CSRF, guard.
const admin: ModuleDefinition = defineModule('Admin', (module) =>
  module
    .mount('admin')
    .withoutConventionRouting()
    .controllers(HomeController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireAdmin)
    .routes((routes) => {
      routes.get('/', [HomeController, 'index']).name('home')
    }),
)

export default admin

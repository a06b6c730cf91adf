import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { ProfileController } from './profile-controller.ts'

// Who the owner of an account is. A name proves nothing, so nothing is asked for again before it is changed.
const profile: ModuleDefinition = defineModule('Profile', (module) =>
  module
    .withoutConventionRouting()
    .controllers(ProfileController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin)
    .claim('/account/profile', (routes) => {
      routes.get('/', [ProfileController, 'index']).name('home')
      routes.post('/', [ProfileController, 'indexPost'])
    }),
)

export default profile

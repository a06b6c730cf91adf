import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../sessions/guards.ts'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { ChallengeController } from './challenge-controller.ts'
import { HomeController } from './home-controller.ts'
import { LoginController } from './login-controller.ts'
import { LogoutController } from './logout-controller.ts'

// Two scopes. The module's own middlewares, identity and then CSRF, cover everything: that is the public scope, with the login.
// The guard covers only the routes under `/account`, so it needs no exceptions. That path is claimed, and not the segment of
// this module: other modules have pages below it.
const account: ModuleDefinition = defineModule('Account', (module) =>
  module
    .mount('login')
    .withoutConventionRouting()
    .controllers(LoginController, ChallengeController, LogoutController, HomeController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [LoginController, 'index']).name('login')
      routes.post('/', [LoginController, 'indexPost'])
      routes.get('/2fa', [ChallengeController, 'index']).name('challenge')
      routes.post('/2fa', [ChallengeController, 'indexPost'])
      routes.get('/2fa/recovery', [ChallengeController, 'recovery']).name('recovery')
      routes.post('/2fa/recovery', [ChallengeController, 'recoveryPost'])
      routes.post('/2fa/cancel', [ChallengeController, 'cancelPost']).name('cancel')
    })
    .claim('/logout', (routes) => {
      routes.get('/', [LogoutController, 'index'])
      routes.post('/', [LogoutController, 'indexPost']).name('logout')
    })
    .claim('/account', (routes) => {
      routes.middleware(RequireLogin).group((guarded) => {
        guarded.get('/', [HomeController, 'index']).name('home')
      })
    }),
)

export default account

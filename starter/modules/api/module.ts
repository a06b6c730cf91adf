import { defineModule, type ModuleDefinition, ProblemErrors } from 'sallyport'
import { Permission } from '../../identity/accounts/permission.ts'
import { RequireScope, RequireToken } from '../../identity/tokens/require-token.ts'
import { ResolveToken } from '../../identity/tokens/resolve-token.ts'
import { AccountsController } from './accounts-controller.ts'
import { MeController } from './me-controller.ts'

// For programs: a Bearer token for each request, and no session. So there is no cookie that a browser sends by itself, and
// nothing that CSRF protection would protect.
const api: ModuleDefinition = defineModule('Api', (module) =>
  module
    .mount('api')
    .withoutConventionRouting()
    .errors(ProblemErrors)
    .controllers(MeController, AccountsController)
    .middleware(ResolveToken, RequireToken)
    .routes((routes) => {
      routes.get('/me', [MeController, 'index']).name('me')
      routes.delete('/me/token', [MeController, 'tokenDelete'])
      routes
        .get('/accounts', [AccountsController, 'index'])
        .name('accounts')
        .middleware(RequireScope.of(Permission.AdminAccess))
    }),
)

export default api

import { defineModule, type ModuleDefinition, ProblemErrors } from 'sallyport'
import { Permission } from '../../identity/accounts/permission.ts'
import { RequireScope, RequireToken } from '../../identity/tokens/require-token.ts'
import { ResolveToken } from '../../identity/tokens/resolve-token.ts'
import { OwnScope } from '../../identity/tokens/scopes.ts'
import { AccountsController } from './accounts-controller.ts'
import { ActivityController } from './activity-controller.ts'
import { MeController } from './me-controller.ts'

// For programs: a Bearer token for each request, and no session. So there is no cookie that a browser sends by itself, and
// nothing that CSRF protection would protect.
const api: ModuleDefinition = defineModule('Api', (module) =>
  module
    .mount('api')
    .withoutConventionRouting()
    .errors(ProblemErrors)
    .controllers(MeController, ActivityController, AccountsController)
    .middleware(ResolveToken, RequireToken)
    .routes((routes) => {
      routes.get('/me', [MeController, 'index']).name('me')
      routes.delete('/me/token', [MeController, 'tokenDelete'])
      routes
        .get('/activity', [ActivityController, 'index'])
        .name('activity')
        .middleware(RequireScope.of(OwnScope.ActivityRead))
      routes
        .get('/accounts', [AccountsController, 'index'])
        .name('accounts')
        .middleware(RequireScope.of(Permission.AdminAccess))
      routes.middleware(RequireScope.of(Permission.AccountsManage)).group((managing) => {
        managing.post('/accounts/{id}/disable', [AccountsController, 'disablePost'])
        managing.post('/accounts/{id}/enable', [AccountsController, 'enablePost'])
        managing.post('/accounts/{id}/end-sessions', [AccountsController, 'endSessionsPost'])
      })
    }),
)

export default api

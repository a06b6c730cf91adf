import type { Routes } from 'sallyport/routing'
import type { Part } from '../../core/part.ts'
import { Permission } from '../administration/permission.ts'
import { administration } from '../administration/part.ts'
import { api } from '../api/part.ts'
import { RequireScope } from '../api/require-scope.ts'
import { AccountsController } from './accounts-controller.ts'

/** The accounts by the API. To grant permissions or reset factors takes a person who has just proven both doors. */
export const administrationApi: Part = {
  name: 'administration-api',
  needs: [administration, api],
  api: { controllers: [AccountsController], routes },
  scopes: [{ name: Permission.AdminAccess }, { name: Permission.AccountsManage }],
}

function routes(routes: Routes): void {
  const see = RequireScope.of(Permission.AdminAccess)
  routes.get('/accounts', [AccountsController, 'index']).name('accounts').middleware(see)
  routes.middleware(RequireScope.of(Permission.AccountsManage)).group((managing) => {
    managing.post('/accounts/{id}/disable', [AccountsController, 'disablePost'])
    managing.post('/accounts/{id}/enable', [AccountsController, 'enablePost'])
    managing.post('/accounts/{id}/end-sessions', [AccountsController, 'endSessionsPost'])
  })
}

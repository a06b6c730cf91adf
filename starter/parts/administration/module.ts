import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import type { Routes } from 'sallyport/routing'
import { RequireLogin, RequirePermission } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../core/step-up/require-step-up.ts'
import { AccountController } from './account-controller.ts'
import { HomeController } from './home-controller.ts'
import { Permission } from './permission.ts'
import { SetUpController } from './set-up-controller.ts'
import { TaskController } from './task-controller.ts'
import { type Task, TASKS } from './tasks.ts'

const See = RequirePermission.of(Permission.AdminAccess)

/**
 * Everything here is protected: identity, CSRF, guard. What changes something needs a permission of its own, and a step-up that
 * names it. The use cases behind the pages check the permission once more, and their rules refuse even who holds it.
 */
export const admin: ModuleDefinition = defineModule('Admin', (module) =>
  module
    .mount('admin')
    .withoutConventionRouting()
    .controllers(HomeController, AccountController, TaskController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin, See)
    .routes((routes) => {
      routes.get('/', [HomeController, 'index']).name('home')
      routes.get('/trail', [HomeController, 'trail']).name('trail')
      routes.get('/accounts/{id}', [AccountController, 'index']).name('account')
      for (const [name, task] of Object.entries(TASKS)) declare(routes, name, task)
    }),
)

/** Public: whoever has the link of an account that was added for them chooses its password. */
export const setUp: ModuleDefinition = defineModule('SetUp', (module) =>
  module
    .mount('set-up')
    .withoutConventionRouting()
    .controllers(SetUpController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/{token}', [SetUpController, 'choose']).name('password')
      routes.post('/{token}', [SetUpController, 'choosePost'])
    }),
)

function declare(routes: Routes, name: string, { needs, rule, isOfPermission = false }: Task): void {
  const path = `/accounts/{id}/${name}${isOfPermission ? '/{permission}' : ''}`
  const [ask, done] = isOfPermission
    ? (['permission', 'permissionPost'] as const)
    : (['index', 'indexPost'] as const)
  routes.middleware(RequirePermission.of(needs), RequireStepUp.of(rule)).group((guarded) => {
    guarded.get(path, [TaskController, ask]).name(name)
    guarded.post(path, [TaskController, done])
  })
}

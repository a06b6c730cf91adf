import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import type { Routes } from 'sallyport/routing'
import { RequireLogin, RequirePermission } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../core/step-up/require-step-up.ts'
import type { StepUpRule } from '../../core/step-up/step-up-rule.ts'
import { AccountController } from './account-controller.ts'
import { GrantsController } from './grants-controller.ts'
import { HomeController } from './home-controller.ts'
import { Permission } from './permission.ts'
import { ResetsController } from './resets-controller.ts'
import { SetUpController } from './set-up-controller.ts'
import { StatesController } from './states-controller.ts'

// Whoever finds a browser that its owner has just left must not hand out rights in it.
const GRANT: StepUpRule = { action: 'step-up.action.grant-permission', maxAge: 60 }

const See = RequirePermission.of(Permission.AdminAccess)
const Manage = RequirePermission.of(Permission.AccountsManage)
const Permissions = RequirePermission.of(Permission.AccountsPermissions)
const Reset = RequirePermission.of(Permission.FactorsReset)

/**
 * Everything here is protected: identity, CSRF, guard. What changes something needs a permission of its own, and a step-up that
 * names it. The use cases behind the pages check the permission once more, and their rules refuse even who holds it.
 */
export const admin: ModuleDefinition = defineModule('Admin', (module) =>
  module
    .mount('admin')
    .withoutConventionRouting()
    .controllers(HomeController, AccountController, StatesController, GrantsController, ResetsController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin, See)
    .routes(see)
    .routes(manage)
    .routes(grant)
    .routes(reset),
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

function see(routes: Routes): void {
  routes.get('/', [HomeController, 'index']).name('home')
  routes.get('/trail', [HomeController, 'trail']).name('trail')
  routes.get('/without-factor', [HomeController, 'withoutFactor']).name('without-factor')
  routes.get('/accounts/{id}', [AccountController, 'index']).name('account')
}

function manage(routes: Routes): void {
  routes.middleware(Manage, RequireStepUp.of('step-up.action.disable-account')).group((guarded) => {
    guarded.get('/accounts/{id}/disable', [StatesController, 'disable']).name('disable')
    guarded.post('/accounts/{id}/disable', [StatesController, 'disablePost'])
  })
  routes.middleware(Manage, RequireStepUp.of('step-up.action.enable-account')).group((guarded) => {
    guarded.get('/accounts/{id}/enable', [StatesController, 'enable']).name('enable')
    guarded.post('/accounts/{id}/enable', [StatesController, 'enablePost'])
  })
  routes.middleware(Manage, RequireStepUp.of('step-up.action.end-account-sessions')).group((guarded) => {
    guarded.get('/accounts/{id}/end-sessions', [StatesController, 'endSessions']).name('end-sessions')
    guarded.post('/accounts/{id}/end-sessions', [StatesController, 'endSessionsPost'])
  })
  routes.middleware(Manage, RequireStepUp.of('step-up.action.end-all-sessions')).group((guarded) => {
    guarded.get('/end-sessions', [StatesController, 'endAll']).name('end-all')
    guarded.post('/end-sessions', [StatesController, 'endAllPost'])
  })
}

function grant(routes: Routes): void {
  routes.middleware(Permissions, RequireStepUp.of(GRANT)).group((guarded) => {
    guarded.get('/accounts/{id}/grant/{permission}', [GrantsController, 'grant']).name('grant')
    guarded.post('/accounts/{id}/grant/{permission}', [GrantsController, 'grantPost'])
  })
  routes.middleware(Permissions, RequireStepUp.of('step-up.action.withdraw-permission')).group((guarded) => {
    guarded.get('/accounts/{id}/withdraw/{permission}', [GrantsController, 'withdraw']).name('withdraw')
    guarded.post('/accounts/{id}/withdraw/{permission}', [GrantsController, 'withdrawPost'])
  })
}

function reset(routes: Routes): void {
  routes.get('/resets', [ResetsController, 'index']).name('resets').middleware(Reset)
  routes.middleware(Reset, RequireStepUp.of('step-up.action.reset-factors')).group((guarded) => {
    guarded.get('/accounts/{id}/reset-factors', [ResetsController, 'reset']).name('reset-factors')
    guarded.post('/accounts/{id}/reset-factors', [ResetsController, 'resetPost'])
  })
  routes.middleware(Reset, RequireStepUp.of('step-up.action.approve-reset')).group((guarded) => {
    guarded.get('/resets/{request}/approve', [ResetsController, 'approve']).name('approve-reset')
    guarded.post('/resets/{request}/approve', [ResetsController, 'approvePost'])
  })
  routes.middleware(Reset, RequireStepUp.of('step-up.action.cancel-reset')).group((guarded) => {
    guarded.get('/resets/{request}/cancel', [ResetsController, 'cancel']).name('cancel-reset')
    guarded.post('/resets/{request}/cancel', [ResetsController, 'cancelPost'])
  })
}

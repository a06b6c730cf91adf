import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { SetUpController } from './set-up-controller.ts'

/** Public: whoever has the link of an account that was added for them chooses its password. */
export const setUp: ModuleDefinition = defineModule('SetUp', (module) =>
  module
    .mount('set-up')
    .withoutConventionRouting()
    .controllers(SetUpController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/{token}', [SetUpController, 'index']).name('password')
      routes.post('/{token}', [SetUpController, 'indexPost'])
    }),
)

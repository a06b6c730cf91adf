import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { PasskeySignUpController } from './sign-up-controller.ts'

// Only in an application that can send mails, as all of signing up.
export const passkeySignUp: ModuleDefinition = defineModule('PasskeySignUp', (module) =>
  module
    .mount('passkey-sign-up')
    .withoutConventionRouting()
    .controllers(PasskeySignUpController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/{token}', [PasskeySignUpController, 'index']).name('new')
      routes.post('/{token}', [PasskeySignUpController, 'indexPost'])
    }),
)

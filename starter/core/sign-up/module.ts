import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { SignUpController } from './sign-up-controller.ts'

// Only in an application that can send mails: an account begins with one.
const signUp: ModuleDefinition = defineModule('SignUp', (module) =>
  module
    .mount('sign-up')
    .withoutConventionRouting()
    .controllers(SignUpController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [SignUpController, 'index']).name('start')
      routes.post('/', [SignUpController, 'indexPost'])
      routes.get('/sent', [SignUpController, 'sent']).name('sent')
      routes.get('/confirm/{token}', [SignUpController, 'choose']).name('confirm')
      routes.post('/confirm/{token}', [SignUpController, 'choosePost'])
    }),
)

export default signUp

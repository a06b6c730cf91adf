import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { SignInLinkController } from './sign-in-link-controller.ts'

const signInLink: ModuleDefinition = defineModule('SignInLink', (module) =>
  module
    .mount('sign-in-link')
    .withoutConventionRouting()
    .controllers(SignInLinkController)
    .middleware(ResolveIdentity, CsrfMiddleware)
    .routes((routes) => {
      routes.get('/', [SignInLinkController, 'index']).name('start')
      routes.post('/', [SignInLinkController, 'indexPost'])
      routes.get('/sent', [SignInLinkController, 'sent']).name('sent')
      routes.get('/{token}', [SignInLinkController, 'confirm']).name('confirm')
      routes.post('/{token}', [SignInLinkController, 'confirmPost'])
    }),
)

export default signInLink

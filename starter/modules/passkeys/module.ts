import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { RequireLogin } from '../../identity/sessions/guards.ts'
import { ResolveIdentity } from '../../identity/sessions/resolve-identity.ts'
import { RequireStepUp } from '../../identity/step-up/require-step-up.ts'
import { AddPasskeyController } from './add-passkey-controller.ts'
import { PasskeyController } from './passkey-controller.ts'
import { RequirePresentPasskey } from './require-present-passkey.ts'

// Passkeys of a signed-in user. Adding, naming and removing one needs password and factor, proven just before.
const passkeys: ModuleDefinition = defineModule('Passkeys', (module) =>
  module
    .withoutConventionRouting()
    .controllers(AddPasskeyController, PasskeyController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin)
    .claim('/account/passkeys', (routes) => {
      const adding = RequireStepUp.of('step-up.action.passkey-add')
      routes.middleware(adding).group((guarded) => {
        guarded.get('/new', [AddPasskeyController, 'index']).name('new')
        guarded.post('/new', [AddPasskeyController, 'indexPost'])
      })
      routes.middleware(RequireStepUp.of('step-up.action.passkey-rename')).group((guarded) => {
        guarded.get('/{id}/name', [PasskeyController, 'rename']).name('rename')
        guarded.post('/{id}/name', [PasskeyController, 'renamePost'])
      })
      const removing = RequireStepUp.of('step-up.action.passkey-remove')
      routes.middleware(RequirePresentPasskey, removing).group((guarded) => {
        guarded.get('/{id}/remove', [PasskeyController, 'remove']).name('remove')
        guarded.post('/{id}/remove', [PasskeyController, 'removePost'])
      })
    }),
)

export default passkeys

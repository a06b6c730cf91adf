import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import type { Part } from '../../core/part.ts'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { ResolveIdentity } from '../../core/sessions/resolve-identity.ts'
import { ProfileController } from './profile-controller.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

declare module '../../core/audit/audit-trail.ts' {
  interface PartEvents {
    'name-changed': true
  }
}

// A name proves nothing, so nothing is asked for again before it is changed.
const module: ModuleDefinition = defineModule('Profile', (declared) =>
  declared
    .withoutConventionRouting()
    .controllers(ProfileController)
    .middleware(ResolveIdentity, CsrfMiddleware, RequireLogin)
    .claim('/account/profile', (routes) => {
      routes.get('/', [ProfileController, 'index']).name('home')
      routes.post('/', [ProfileController, 'indexPost'])
    }),
)

/** The page about the owner of an account, who changes the name there. */
export const profile: Part = {
  name: 'profile',
  modules: () => [module],
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  events: ['name-changed'],
  slots: { menu: ['profile::menu'] },
}

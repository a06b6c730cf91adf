import { defineModule, type ModuleDefinition } from 'sallyport'
import { CsrfMiddleware } from 'sallyport/middleware'
import { HAS_CHOICE } from '../messages/language.ts'
import type { Part } from '../part.ts'
import { ResolveIdentity } from '../sessions/resolve-identity.ts'
import { HomeController } from './home-controller.ts'
import { LanguageController } from './language-controller.ts'

/** The module at the root. Nothing of the core here requires a login, and only the choice of a language changes anything. */
export function site(parts: readonly Part[]): ModuleDefinition {
  return defineModule('Site', (module) => {
    module
      .mount('/')
      .withoutConventionRouting()
      .controllers(HomeController, ...(HAS_CHOICE ? [LanguageController] : []))
      .middleware(ResolveIdentity)
      .routes((routes) => {
        routes.get('/', [HomeController, 'index']).name('home')
        if (!HAS_CHOICE) return
        routes.middleware(CsrfMiddleware).group((group) => {
          group.get('/language', [LanguageController, 'index']).name('language')
          group.post('/language', [LanguageController, 'indexPost'])
        })
      })
    for (const part of parts) part.root?.(module)
  })
}

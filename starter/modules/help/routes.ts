import { RouteLocale } from 'sallyport/middleware'
import type { Routes } from 'sallyport/routing'
import { HelpController } from './help-controller.ts'

/**
 * The pages `/{locale}/help/…`: a topology of their own, beside pages without a language in their URL. So the prefixes of the
 * framework are off. The module at the root includes this table, because such a path begins with a placeholder.
 *
 * @param routes The table of the module at the root.
 */
export function helpRoutes(routes: Routes): void {
  routes.get('/help', [HelpController, 'index']).name('any-help')
  routes.middleware(RouteLocale).group((inLocale) => {
    inLocale.get('/{locale}/help', [HelpController, 'list']).name('help')
    inLocale.get('/{locale}/help/{topic}', [HelpController, 'topic']).name('help-topic')
  })
}

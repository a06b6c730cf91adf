import { RouteLocale } from 'sallyport/middleware'
import type { Routes } from 'sallyport/routing'
import type { Part } from '../../core/part.ts'
import { HelpController } from './help-controller.ts'
import { de } from './texts.de.ts'
import { en } from './texts.en.ts'

/**
 * Help, with the language in its path, so that a link shows the same page to everybody. All other paths have none, so the prefixes of the
 * framework are off.
 */
export const help: Part = {
  name: 'help',
  root: (module) => {
    module.controllers(HelpController).routes(routes)
  },
  views: new URL('views/', import.meta.url),
  texts: { en, de },
  slots: { foot: ['help::link'] },
}

function routes(routes: Routes): void {
  routes.get('/help', [HelpController, 'index']).name('any-help')
  routes.middleware(RouteLocale).group((inLocale) => {
    inLocale.get('/{locale}/help', [HelpController, 'list']).name('help')
    inLocale.get('/{locale}/help/{topic}', [HelpController, 'topic']).name('help-topic')
  })
}

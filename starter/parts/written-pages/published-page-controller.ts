import { binding, inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { PageController } from '../../core/pages/page-controller.ts'
import type { PublishedPage } from './pages.ts'

/** Shows a page that the owner of the site wrote. */
export class PublishedPageController extends PageController {
  static readonly actions: Actions<PublishedPageController> = { show: [] }

  readonly #page = inject(binding<PublishedPage>('page'))

  /** @returns The page in the language of the request, otherwise in another one. */
  show(): View {
    const locale = this.context.locale()
    const text = this.#page.find(({ language }) => language === locale) ?? this.#page[0]
    const { title = '', body = '', language = locale } = text ?? {}
    const paragraphs = body.split(/\n\s*\n/).flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
    const titles = { title: 'page.title', titleValues: { title } }
    return this.page('written-pages::page', { ...titles, paragraphs, language })
  }
}

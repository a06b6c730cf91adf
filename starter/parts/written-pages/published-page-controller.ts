import { binding, inject } from 'sallyport'
import type { Actions } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import type { PublishedPage } from './published-page.ts'
import { PageController } from '../../core/pages/page-controller.ts'

/** Shows a page that the owner of the site wrote. */
export class PublishedPageController extends PageController {
  /** Actions and their parameters. */
  static readonly actions: Actions<PublishedPageController> = { show: [] }

  readonly #page = inject(binding<PublishedPage>('page'))

  /** @returns The page in the language of the request, if it is there in that one. */
  show(): View {
    const { title, body, language } = this.#page.in(this.context.locale())
    const paragraphs = body.split(/\n\s*\n/).flatMap((text) => (text.trim() === '' ? [] : [text.trim()]))
    return this.page('written-pages::page', {
      title: 'page.title',
      titleValues: { title },
      paragraphs,
      language,
    })
  }
}

import { Controller, inject } from 'sallyport'
import { Translator } from 'sallyport/i18n'
import type { View } from 'sallyport/view'

/** What else the response of a page has. */
interface PageOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Base of the controllers with pages. */
export class PageController extends Controller {
  readonly #texts = inject(Translator)

  /**
   * @param template Name of the template.
   * @param data Its data: `title` is the message of its title, `failed` whether the title says that something is wrong.
   * @param options Status and headers of the response.
   * @returns The page, which knows where it is: the choice of a language returns to it.
   */
  protected page(
    template: string,
    data: Readonly<Record<string, unknown>> & { readonly title: string },
    options: PageOptions = {},
  ): View {
    return this.view(template, { here: this.context.path(), ...data }, options)
  }

  /**
   * @param id Identifier of a message.
   * @returns The message in the language of the request, for what is stored as its owner would have typed it.
   */
  protected translate(id: string): string {
    return this.#texts.translate(this.context.locale(), { id })
  }
}

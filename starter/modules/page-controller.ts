import { Controller } from 'sallyport'
import type { View } from 'sallyport/view'

/** What else the response of a page has. */
interface PageOptions {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Base of the controllers with pages. */
export class PageController extends Controller {
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
}

import { LocalTarget } from 'sallyport/http'
import type { Submitted } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { z } from 'zod'
import { keepLanguage } from './chosen-language.ts'
import { PageController } from './page-controller.ts'
import type { PageState } from './page-state.ts'
import { type ReturnTo, returnToSchema, returnUrlField } from './return-field.ts'

/** The form with the languages. */
interface LanguageChoice extends ReturnTo {
  readonly language: string
}

const choice: z.ZodType<LanguageChoice> = z.object({ language: z.string(), return_url: returnUrlField })

const UNKNOWN = { field: 'language', code: 'invalid_option', fallback: 'There is no such language' }

/** The choice of a language: a page with all of them, and a form that leads back to where the choice began. */
export abstract class LanguageController extends PageController {
  /** What a request can reach. */
  static readonly actions: Actions<LanguageController> = {
    index: [input(returnToSchema)],
    indexPost: [form(choice)],
  }

  /** Name of the route to which a choice leads that began nowhere. */
  protected abstract readonly home: string

  /**
   * Shows the page of the choice.
   *
   * @param returnUrl Where it began; undefined for nowhere.
   * @param state What else the page says.
   * @returns The page, whose form has the fields `language` and `return_url`.
   */
  protected abstract choicePage(returnUrl: string | undefined, state: PageState): View

  /**
   * Keeps a choice beyond this browser.
   *
   * @param language One of the locales of the application.
   */
  protected abstract keep(language: string): Promise<void>

  /**
   * Shows the choice.
   *
   * @param query Where it began.
   * @returns The page with all languages.
   */
  index(query: ReturnTo): View {
    return this.#page(query.return_url)
  }

  /**
   * Keeps the chosen language on the browser.
   *
   * @param form The choice.
   * @returns A redirect to where the choice began.
   */
  async indexPost(form: Submitted<typeof choice>): Promise<View | Response> {
    if (!form.ok) return this.#page(form.value('return_url'), { form, status: 422 })
    const { language, return_url: returnUrl } = form.value
    if (this.context.declaredLocale(language) !== language)
      return this.#page(returnUrl, { form: form.refuse(UNKNOWN), status: 422 })
    keepLanguage(this.context, language)
    await this.keep(language)
    // Nothing happens on a page that is only opened, so any page of this site will do.
    return this.redirect(LocalTarget.parse(returnUrl) ?? this.context.url(this.home))
  }

  #page(given: unknown, state: PageState = {}): View {
    return this.choicePage(LocalTarget.parse(given)?.value, state)
  }
}

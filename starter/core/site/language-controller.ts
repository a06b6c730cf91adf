import { inject } from 'sallyport'
import { LocalTarget } from 'sallyport/http'
import type { Submitted } from 'sallyport/input'
import { type Actions, form, input } from 'sallyport/routing'
import type { View } from 'sallyport/view'
import { keepLanguage } from 'sallyport-app/pages'
import { PageController, type PageState } from '../pages/page-controller.ts'
import { returnToSchema, returnUrlField, type ReturnTo } from '../pages/return-field.ts'
import { z } from 'zod'
import { Users } from '../accounts/users.ts'
import { type Language, LANGUAGES } from '../messages/language.ts'

const choice: z.ZodType<ReturnTo & { readonly language: Language }> = z.object({
  language: z.enum(LANGUAGES),
  return_url: returnUrlField,
})

/** The choice of a language. */
export class LanguageController extends PageController {
  static readonly actions: Actions<LanguageController> = {
    index: [input(returnToSchema)],
    indexPost: [form(choice)],
  }

  readonly #users = inject(Users)

  /** @returns The page with all languages. */
  index(query: ReturnTo): View {
    return this.#page(query.return_url)
  }

  /** Keeps the chosen language on the browser, and for the mails to a user who is signed in. Leads back to where the choice began. */
  async indexPost(form: Submitted<typeof choice>): Promise<View | Response> {
    if (!form.ok) return this.#page(form.value('return_url'), { form, status: 422 })
    const { language } = form.value
    keepLanguage(this.context, language)
    if (this.context.auth().isAuthenticated()) await this.#users.chooseLanguage(this.account().id, language)
    // Nothing happens on a page that is only opened, so any page of this site will do.
    const target = LocalTarget.parse(form.value.return_url)
    return this.redirect(target ?? this.context.url('site:home'))
  }

  #page(given: unknown, state: PageState = {}): View {
    const target = LocalTarget.parse(given)?.value
    const page = { title: 'language.title', page: 'language', narrow: true, here: target, returnUrl: target }
    return this.page('site/language', page, state)
  }
}

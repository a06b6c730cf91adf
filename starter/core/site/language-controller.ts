import { inject } from 'sallyport'
import type { View } from 'sallyport/view'
import { LanguageController as AnyLanguageController, type PageState } from 'sallyport-app/pages'
import { Account } from '../accounts/account.ts'
import { Users } from '../accounts/users.ts'
import { languageOf } from '../messages/language.ts'

/** The choice of a language, which is that of the mails to whoever is signed in, too. */
export class LanguageController extends AnyLanguageController {
  protected readonly home = 'site:home'
  readonly #users = inject(Users)

  protected choicePage(returnUrl: string | undefined, state: PageState): View {
    const page = { title: 'language.title', page: 'language', narrow: true, here: returnUrl, returnUrl }
    return this.page('site/language', page, state)
  }

  protected async keep(language: string): Promise<void> {
    const auth = this.context.auth()
    if (auth.isAuthenticated())
      await this.#users.chooseLanguage(auth.principalAs(Account).id, languageOf(language))
  }
}

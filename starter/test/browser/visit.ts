import type { Page } from 'playwright-core'
import {
  findInLanguage,
  Visit as AnyVisit,
  type Sight,
  type WindowOptions,
} from 'sallyport-app/testing/browser'
import { languageOf } from '../../core/messages/language.ts'
import { catalogues } from '../catalogues.ts'
import { PASSWORD } from '../support.ts'

/** One person's browser window, and what people do at the doors. */
export class Visit extends AnyVisit {
  constructor(page: Page, options: WindowOptions) {
    super(page, options)
    // A page finds its elements by the English words, whatever language its browser asks for.
    const own = catalogues[languageOf((options.locale ?? 'en').slice(0, 2))]
    if (own !== catalogues.en) findInLanguage(page, catalogues.en.messages, own.messages)
  }

  /** Fills the login form in, with another password than that of the tests if it is given, and sends it. */
  async enterPassword({ email }: { readonly email: string }, password: string = PASSWORD): Promise<Sight> {
    await this.page.getByLabel('Email address').fill(email)
    await this.page.getByLabel('Password').fill(password)
    return this.click('button', 'Continue')
  }

  /** Fills the challenge form in and sends it. */
  async enterCode(code: string): Promise<Sight> {
    await this.page.locator('input[name=code]').fill(code)
    return this.click('button', 'Sign in')
  }
}

import type { Page } from 'playwright-core'
import { Visit as AnyVisit, type Sight, type WindowOptions } from 'sallyport-app/testing/browser'
import type { Person } from '../crash/starter-process.ts'
import { speak } from './spoken.ts'

/** What the login form asks for. */
export type Login = Pick<Person, 'email' | 'password'>

/** One person's browser window, and what people do at the doors. */
export class Visit extends AnyVisit {
  constructor(page: Page, options: WindowOptions) {
    super(page, options)
    speak(page, options.locale)
  }

  /** Fills the login form in, with another password than the own one if it is given, and sends it. */
  async enterPassword({ email, password: own }: Login, password: string = own): Promise<Sight> {
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

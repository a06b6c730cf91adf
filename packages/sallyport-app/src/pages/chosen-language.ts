import type { HttpContext } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { cookieName } from './cookie-names.ts'

// A cookie of its own: the choice outlives the session, and a visit without one needs no session for it.
const COOKIE = 'language'
const YEAR_SECONDS = 365 * 24 * 60 * 60

/** Answers in the language that was chosen on this browser; without a choice in what the browser prefers. */
export class UseChosenLanguage implements Middleware<HttpContext> {
  /**
   * Chooses the language.
   *
   * @param context The request.
   * @param next The rest of the chain.
   * @returns The response of the rest of the chain.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    const chosen = context.declaredLocale(context.cookies().get(cookieName(context, COOKIE)) ?? '')
    if (chosen !== undefined) context.useLocale(chosen)
    return next()
  }
}

/**
 * Keeps a choice on the browser, for a year.
 *
 * @param context The request.
 * @param language One of the locales of the application.
 */
export function keepLanguage(context: HttpContext, language: string): void {
  context.cookies().set(cookieName(context, COOKIE), language, { maxAgeSeconds: YEAR_SECONDS })
}

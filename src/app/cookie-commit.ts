import type { HttpContext } from '../context/index.ts'
import { ServiceUnavailableException } from '../http/index.ts'
import { LightResponse } from '../http/internal.ts'

/** What becomes of cookies and session after the response of a request has been made. */
export interface Commit {
  /**
   * Keeps what the request has set.
   *
   * @param response The response of the request.
   * @param context Context of the request.
   * @returns The response with its cookies.
   * @throws {Error} Why the session cannot be kept, now or as a rejection; nothing is committed then.
   */
  finish(response: Response, context: HttpContext): Response | Promise<Response>

  /**
   * Keeps the removals alone, for the error page in place of a response that was refused.
   *
   * @param page The error page.
   * @param error Why the response was refused.
   * @param context Context of the request.
   * @returns The page, with cookies if the store has confirmed something.
   */
  finishRefused(page: Response, error: unknown, context: HttpContext): Promise<Response>

  /**
   * Reverts what the store has confirmed, because the response has become an internal error since.
   *
   * @param response The response.
   * @param context Context of the request.
   * @returns The response with the correct session cookie.
   */
  takeBack(response: Response, context: HttpContext): Promise<LightResponse>
}

/** The commit of an application without sessions: it sets cookies. */
export const COOKIE_COMMIT: Commit = {
  finish: (response, context) => {
    context.answer()
    return withCookies(response, context)
  },
  finishRefused: (page, error, context) =>
    Promise.resolve(error instanceof ServiceUnavailableException ? page : withCookies(page, context)),
  takeBack: (response) => Promise.resolve(LightResponse.from(response)),
}

/**
 * @param response A response.
 * @param context Context of its request.
 * @returns The response with the cookies of the application.
 */
export function withCookies(response: Response, context: HttpContext): Response {
  const cookies = context.openedCookies()
  if (cookies === null) return response
  const light = LightResponse.from(response)
  for (const line of cookies.setCookieLines()) light.append('set-cookie', line)
  return light
}

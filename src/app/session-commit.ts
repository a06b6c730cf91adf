import type { HttpContext } from '../context/index.ts'
import { LightResponse } from '../http/internal.ts'
import { ServiceUnavailableException } from '../http/index.ts'
import type { CookieChange, RequestSession } from '../session/internal.ts'
import type { SessionPolicy } from '../session/index.ts'
import { type Commit, withCookies } from './cookie-commit.ts'
import { withdraw } from './withdraw.ts'

/**
 * Writes the session of a request after its response has been made, and sets its cookies.
 *
 * With a response of 500 and above, nothing that the request set is kept, such as a login; removals, a rotation and a
 * destruction stay. If the response becomes such an error after the commit, the values are removed from the store again.
 */
export class SessionCommit implements Commit {
  readonly #policy: SessionPolicy

  /**
   * @param policy Name and attributes of the session cookie.
   */
  constructor(policy: SessionPolicy) {
    this.#policy = policy
  }

  finish(response: Response, context: HttpContext): Response | Promise<Response> {
    if (response.status >= 500) withdraw(context)
    const session = context.openedSession()
    // A flash message whose promise is not awaited is part of the request all the same.
    const adding = session === null ? null : context.pendingFlash()
    if (adding !== null) return adding.then(() => this.#end(response, context))
    return this.#end(response, context)
  }

  async finishRefused(page: Response, error: unknown, context: HttpContext): Promise<Response> {
    context.openedSession()?.seal()
    // The store has confirmed nothing, so no cookie is set: neither the session's nor one of the application.
    if (error instanceof ServiceUnavailableException) return page
    // The values to set were refused before the store was called. The removals must still be written.
    let change: CookieChange = null
    withdraw(context)
    try {
      change = (await context.openedSession()?.commit()) ?? null
    } catch {
      return page
    }
    return withCookies(this.#withSession(page, change, context), context)
  }

  #end(response: Response, context: HttpContext): Response | Promise<Response> {
    context.answer()
    const session = context.openedSession()
    // A change that was refused, and whose promise is not awaited, is thrown here.
    if (session === null || !session.seal()) return withCookies(response, context)
    return this.#commit(session, response, context)
  }

  async takeBack(response: Response, context: HttpContext): Promise<LightResponse> {
    const session = context.openedSession()
    if (session === null) return LightResponse.from(response)
    const change = await session.takeBack()
    const cookie = change === null ? null : this.#sessionCookie(change, context)
    return withSessionCookie(response, `${this.#cookieName(context)}=`, cookie)
  }

  async #commit(session: RequestSession, response: Response, context: HttpContext): Promise<Response> {
    const change = await session.commit()
    return withCookies(this.#withSession(response, change, context), context)
  }

  #withSession(response: Response, change: CookieChange, context: HttpContext): Response {
    if (change === null) return response
    const light = LightResponse.from(response)
    light.append('set-cookie', this.#sessionCookie(change, context))
    return light
  }

  #sessionCookie(identifier: string, context: HttpContext): string {
    const sameSite = this.#policy.sameSite === 'strict' ? 'Strict' : 'Lax'
    const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${context.isSecure() ? '; Secure' : ''}`
    return `${this.#cookieName(context)}=${identifier}; ${identifier === '' ? 'Max-Age=0; ' : ''}${attributes}`
  }

  #cookieName(context: HttpContext): string {
    return this.#policy.cookieNameAt(context.origin())
  }
}

function withSessionCookie(response: Response, start: string, cookie: string | null): LightResponse {
  const light = LightResponse.from(response)
  const lines = light.cookieLines().filter((line) => !line.startsWith(start))
  if (cookie !== null) lines.push(cookie)
  light.headers.delete('set-cookie')
  for (const line of lines) light.append('set-cookie', line)
  return light
}

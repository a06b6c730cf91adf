import type { HttpContext } from '../context/index.ts'
import { cancelBody, LightResponse } from '../http/internal.ts'
import { ServiceUnavailableException } from '../http/index.ts'
import type { CookieChange, RequestSession } from '../session/internal.ts'
import type { SessionPolicy } from '../session/index.ts'

/** What a commit needs from its kernel. */
export interface SessionCommitParts {
  /** Name and attributes of the session cookie. */
  readonly policy: SessionPolicy
  /** Turns an error into a response. */
  readonly fail: (error: unknown, context: HttpContext) => Response | Promise<Response>
  /** Ends a request whose response could not be sent. */
  readonly endBadly: (error: unknown, context: HttpContext) => Response
  /** Continues with a response whose cookies are set. */
  readonly leave: (response: Response, context: HttpContext) => Response | Promise<Response>
}

/**
 * Writes the session of a request after its response has been made, and sets its cookies.
 *
 * With a response of 500 and above, nothing that the request set is kept, such as a login; removals, a rotation and a
 * destruction stay. If the response becomes such an error after the commit, the values are removed from the store again.
 */
export class SessionCommit {
  readonly #parts: SessionCommitParts

  /**
   * @param parts What it needs from its kernel.
   */
  constructor(parts: SessionCommitParts) {
    this.#parts = parts
  }

  /**
   * Commits session and cookies, and continues.
   *
   * @param response The response of the request.
   * @param context Context of the request.
   * @returns The response as it is sent.
   */
  finish(response: Response, context: HttpContext): Response | Promise<Response> {
    if (response.status >= 500) withdraw(context)
    const session = context.openedSession()
    // A flash message whose promise is not awaited is part of the request all the same.
    const adding = session === null ? null : context.pendingFlash()
    if (adding !== null) return adding.then(() => this.#end(response, context))
    return this.#end(response, context)
  }

  #end(response: Response, context: HttpContext): Response | Promise<Response> {
    context.answer()
    const session = context.openedSession()
    if (session === null) return this.#leaveWithCookies(response, context)
    let isChanged: boolean
    try {
      isChanged = session.seal()
    } catch (error) {
      // A change was refused and its promise is not awaited.
      return this.#refuse(error, response, context)
    }
    return isChanged ? this.#commit(session, response, context) : this.#leaveWithCookies(response, context)
  }

  /**
   * Reverts what the store has confirmed, because the response has become an internal error since.
   *
   * @param response The response.
   * @param context Context of the request.
   * @returns The response with the correct session cookie.
   */
  async takeBack(response: Response, context: HttpContext): Promise<LightResponse> {
    const session = context.openedSession()
    if (session === null) return LightResponse.from(response)
    const change = await session.takeBack()
    const cookie = change === null ? null : this.#sessionCookie(change, context)
    return withSessionCookie(response, `${this.#cookieName(context)}=`, cookie)
  }

  async #commit(session: RequestSession, response: Response, context: HttpContext): Promise<Response> {
    let change: CookieChange
    try {
      change = await session.commit()
    } catch (error) {
      return this.#refuse(error, response, context)
    }
    const light = LightResponse.from(response)
    if (change !== null) light.append('set-cookie', this.#sessionCookie(change, context))
    try {
      const left = this.#leaveWithCookies(light, context)
      return left instanceof Promise ? await left : left
    } catch (error) {
      return this.takeBack(this.#parts.endBadly(error, context), context)
    }
  }

  async #refuse(error: unknown, response: Response, context: HttpContext): Promise<Response> {
    cancelBody(LightResponse.from(response))
    const page = await this.#parts.fail(error, context)
    context.openedSession()?.seal()
    // The store has confirmed nothing, so no cookie is set: neither the session's nor one of the application.
    if (error instanceof ServiceUnavailableException) return this.#parts.leave(page, context)
    return this.#commitRemovals(page, context)
  }

  // The values to set were refused before the store was called. The removals must still be written.
  async #commitRemovals(page: Response, context: HttpContext): Promise<Response> {
    let change: CookieChange = null
    withdraw(context)
    try {
      change = (await context.openedSession()?.commit()) ?? null
    } catch {
      return this.#parts.leave(page, context)
    }
    const light = LightResponse.from(page)
    if (change !== null) light.append('set-cookie', this.#sessionCookie(change, context))
    return this.#leaveWithCookies(light, context)
  }

  #leaveWithCookies(response: Response, context: HttpContext): Response | Promise<Response> {
    const cookies = context.openedCookies()
    if (cookies === null) return this.#parts.leave(response, context)
    const light = LightResponse.from(response)
    for (const line of cookies.setCookieLines()) light.append('set-cookie', line)
    return this.#parts.leave(light, context)
  }

  #sessionCookie(identifier: string, context: HttpContext): string {
    const sameSite = this.#parts.policy.sameSite === 'strict' ? 'Strict' : 'Lax'
    const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${context.isSecure() ? '; Secure' : ''}`
    return `${this.#cookieName(context)}=${identifier}; ${identifier === '' ? 'Max-Age=0; ' : ''}${attributes}`
  }

  #cookieName(context: HttpContext): string {
    const { policy } = this.#parts
    return context.isSecure() ? policy.secureCookieName : policy.cookieName
  }
}

/**
 * Drops the values that a request set in its session, because its response is an internal error.
 *
 * @param context Context of the request.
 */
export function withdraw(context: HttpContext): void {
  context.openedSession()?.withdraw()
}

function withSessionCookie(response: Response, start: string, cookie: string | null): LightResponse {
  const light = LightResponse.from(response)
  const lines = light.cookieLines().filter((line) => !line.startsWith(start))
  if (cookie !== null) lines.push(cookie)
  light.headers.delete('set-cookie')
  for (const line of lines) light.append('set-cookie', line)
  return light
}

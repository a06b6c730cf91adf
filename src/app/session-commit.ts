import type { HttpContext } from '../context/index.ts'
import { LightResponse } from '../http/index.ts'
import type { CookieChange, RequestSession, SessionPolicy } from '../session/index.ts'

/** What a commit needs of its kernel. */
export interface SessionCommitParts {
  /** Name and attributes of the session cookie. */
  readonly policy: SessionPolicy
  /** Answers an error. */
  readonly fail: (error: unknown, context: HttpContext) => Response | Promise<Response>
  /** Goes on with a response whose cookies are set. */
  readonly leave: (response: Response, context: HttpContext) => Response | Promise<Response>
}

/** Writes the session of a request when its response has been made, and sets its cookies. */
export class SessionCommit {
  readonly #parts: SessionCommitParts

  /**
   * @param parts What it needs of its kernel.
   */
  constructor(parts: SessionCommitParts) {
    this.#parts = parts
  }

  /**
   * Commits session and cookies, and goes on.
   *
   * @param response Whatever the request made.
   * @param context Context of the request.
   * @returns The response as it leaves.
   */
  finish(response: Response, context: HttpContext): Response | Promise<Response> {
    const session = context.openedSession()
    if (session !== null && session.seal()) return this.#commit(session, response, context)
    return this.#leaveWithCookies(response, context)
  }

  async #commit(session: RequestSession, response: Response, context: HttpContext): Promise<Response> {
    let change: CookieChange
    try {
      change = await session.commit()
    } catch (error) {
      discard(LightResponse.from(response))
      // Nothing is confirmed, so nothing is set: no session cookie and none of the application's.
      return this.#parts.leave(await this.#parts.fail(error, context), context)
    }
    const light = LightResponse.from(response)
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
    const { policy } = this.#parts
    const name = context.isSecure() ? policy.secureCookieName : policy.cookieName
    const sameSite = policy.sameSite === 'strict' ? 'Strict' : 'Lax'
    const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${context.isSecure() ? '; Secure' : ''}`
    return `${name}=${identifier}; ${identifier === '' ? 'Max-Age=0; ' : ''}${attributes}`
  }
}

/**
 * Nobody will read a body: what feeds it learns so.
 *
 * @param response The response that has it.
 */
export function discard(response: LightResponse): void {
  if (response.payload instanceof ReadableStream) response.payload.cancel().catch(() => undefined)
}

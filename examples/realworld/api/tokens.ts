import { type HttpContext, inject } from 'sallyport'
import type { Middleware, Next } from 'sallyport/http'
import { unauthorized } from '../domain/refusal.ts'
import { Tokens } from '../domain/tokens.ts'

/** The token of the header `Authorization: Token …`; undefined if there is none. */
export function presentedToken(context: HttpContext): string | undefined {
  return /^Token (\S+)$/i.exec(context.header('authorization') ?? '')?.[1]
}

/** Identifies the user of the token, and nobody without one. A wrong token is refused. */
export class IdentifyToken implements Middleware {
  readonly #tokens = inject(Tokens)

  async process(context: HttpContext, next: Next): Promise<Response> {
    const token = presentedToken(context)
    const user = token === undefined ? undefined : this.#tokens.find(token)
    if (user !== undefined) context.auth().authenticate(user)
    else if (token !== undefined) throw unauthorized('token', 'is invalid')
    return next()
  }
}

export class RequireToken implements Middleware {
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().isAuthenticated()) throw unauthorized('token', 'is missing')
    return next()
  }
}

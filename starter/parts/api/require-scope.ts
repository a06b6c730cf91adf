import type { HttpContext } from 'sallyport'
import { ForbiddenException, type Next, ParameterizedMiddleware } from 'sallyport/http'
import { bearerChallenge } from './bearer-challenge.ts'

/** Admits tokens that have a scope, and whose account still has the permission. */
export class RequireScope extends ParameterizedMiddleware<HttpContext> {
  readonly #scope: string

  constructor(scope: string) {
    super()
    this.#scope = scope
  }

  async process(context: HttpContext, next: Next): Promise<Response> {
    if (context.auth().allows(this.#scope)) return next()
    const challenge = bearerChallenge({ error: 'insufficient_scope', scope: this.#scope })
    throw new ForbiddenException(`This token may not do that: it lacks "${this.#scope}"`, {
      headers: { 'www-authenticate': challenge },
    })
  }
}

import { type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import { type Middleware, type Next, RedirectException } from 'sallyport/http'
import { Users } from '../domain/users.ts'

/** Identifies the user of the session. Refuses nobody: most pages are for everybody. */
export class ResolveUser implements Middleware {
  readonly #sessions = inject(SessionAuthentication)
  readonly #users = inject(Users)

  async process(context: HttpContext, next: Next): Promise<Response> {
    const id = await this.#sessions.identifier(context.session())
    const user = id === null ? undefined : this.#users.find(Number(id))
    if (user !== undefined) context.auth().authenticate(user)
    return next()
  }
}

export class RequireUser implements Middleware {
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().isAuthenticated()) throw new RedirectException(context.url('login'), 303)
    return next()
  }
}

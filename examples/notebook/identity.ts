import { type HttpContext, inject } from 'sallyport'
import { SessionAuthentication } from 'sallyport/auth'
import {
  ForbiddenException,
  type Middleware,
  type Next,
  ParameterizedMiddleware,
  RedirectException,
} from 'sallyport/http'
import { Accounts } from './accounts.ts'

/** Establishes the identity that the session refers to. */
export class ResolveAccount implements Middleware {
  readonly #sessions = inject(SessionAuthentication)
  readonly #accounts = inject(Accounts)

  async process(context: HttpContext, next: Next): Promise<Response> {
    const identifier = await this.#sessions.identifier(context.session())
    const account = identifier === null ? undefined : this.#accounts.find(identifier)
    if (account !== undefined) context.auth().authenticate(account, this.#accounts.permissions(account))
    return next()
  }
}

/** Sends users who are not signed in to the sign-in page. */
export class RequireAccount implements Middleware {
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().isAuthenticated()) throw new RedirectException(context.url('sign-in'), 303)
    return next()
  }
}

/** Refuses users without a permission: `RequirePermission.of('accounts.read')`. */
export class RequirePermission extends ParameterizedMiddleware {
  readonly #permission: string

  constructor(permission: string) {
    super()
    this.#permission = permission
  }

  async process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().allows(this.#permission)) throw new ForbiddenException()
    return next()
  }
}

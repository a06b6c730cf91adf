import { type HttpContext, inject } from 'sallyport'
import {
  ForbiddenException,
  type Middleware,
  type Next,
  prefersJson,
  RedirectException,
  UnauthorizedException,
} from 'sallyport/http'
import { Permission } from '../accounts/permission.ts'
import { noteRefusedForm } from './refused-form.ts'
import { ReturnTargets } from './return-target.ts'

// A 401 names a scheme. No scheme of HTTP stands for the session of a browser, and one that a browser knows would make it ask.
const CHALLENGE = 'Session realm="account"'

/** Admits signed-in users; redirects everyone else to the login page, and refuses programs, which have no use for that page. */
export class RequireLogin implements Middleware<HttpContext> {
  /** Marks the pages that a login may return to. */
  static readonly requiresLogin = true

  readonly #targets = inject(ReturnTargets)

  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the request is anonymous.
   * @throws {UnauthorizedException} If it is anonymous, and the client prefers JSON.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    if (!context.auth().isAuthenticated()) {
      if (prefersJson(context.header('accept'))) throw new UnauthorizedException(CHALLENGE)
      noteRefusedForm(context)
      const isRead = context.method() === 'GET' || context.method() === 'HEAD'
      // 303 after a form, so that the browser does not submit it to the login page.
      throw new RedirectException(await this.#targets.loginUrl(context), isRead ? 302 : 303)
    }
    return next()
  }
}

/** Admits users with the permission `admin.access`; redirects an anonymous request to the login page. */
export class RequireAdmin extends RequireLogin {
  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the request is anonymous.
   * @throws {UnauthorizedException} If it is anonymous, and the client prefers JSON.
   * @throws {ForbiddenException} If the permission is missing.
   */
  override process(context: HttpContext, next: Next): Promise<Response> {
    return super.process(context, () => {
      if (context.auth().allows(Permission.AdminAccess)) return next()
      throw new ForbiddenException('Your account may not open this page: it lacks the required permission')
    })
  }
}

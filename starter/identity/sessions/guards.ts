import type { HttpContext } from 'sallyport'
import { ForbiddenException, type Middleware, type Next, RedirectException } from 'sallyport/http'
import { Permission } from '../accounts/permission.ts'
import { allowedReturnTarget, DEFAULT_RETURN_ROUTE } from './return-target.ts'

/** Admits signed-in users; redirects everyone else to the login page. */
export class RequireLogin implements Middleware<HttpContext> {
  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the request is anonymous.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    assertLoggedIn(context)
    return next()
  }
}

/** Admits users with the permission `admin.access`; redirects an anonymous request to the login page. */
export class RequireAdmin implements Middleware<HttpContext> {
  /**
   * @param context Context of the request.
   * @param next Runs the rest of the chain.
   * @returns The response of the rest of the chain.
   * @throws {RedirectException} If the request is anonymous.
   * @throws {ForbiddenException} If the permission is missing.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    assertLoggedIn(context)
    if (!context.auth().allows(Permission.AdminAccess))
      throw new ForbiddenException('Your account may not open this page: it lacks the required permission')
    return next()
  }
}

function assertLoggedIn(context: HttpContext): void {
  if (context.auth().isAuthenticated()) return
  const isRead = context.method() === 'GET' || context.method() === 'HEAD'
  // 303 after a form, so that the browser does not submit it to the login page.
  throw new RedirectException(loginUrl(context, isRead), isRead ? 302 : 303)
}

function loginUrl(context: HttpContext, isRead: boolean): string {
  const target = isRead ? allowedReturnTarget(context, context.path()) : undefined
  if (target === undefined || target === context.url(DEFAULT_RETURN_ROUTE))
    return context.url('account:login')
  return context.url('account:login', { return_url: target })
}

import type { HttpContext } from 'sallyport'
import { ForbiddenException, type Middleware, type Next, RedirectException } from 'sallyport/http'
import { Permission } from './permission.ts'
import { allowedReturnTarget, DEFAULT_RETURN_ROUTE } from './return-target.ts'

/** Lets in who is logged in; sends everybody else to the login page. */
export class RequireLogin implements Middleware<HttpContext> {
  /**
   * @param context Context of the request.
   * @param next Goes on.
   * @returns The response of what stands behind.
   * @throws {RedirectException} If the request is anonymous.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    assertLoggedIn(context)
    return next()
  }
}

/** Lets in who holds the permission `admin.access`; sends an anonymous request to the login page. */
export class RequireAdmin implements Middleware<HttpContext> {
  /**
   * @param context Context of the request.
   * @param next Goes on.
   * @returns The response of what stands behind.
   * @throws {RedirectException} If the request is anonymous.
   * @throws {ForbiddenException} If the permission is missing.
   */
  async process(context: HttpContext, next: Next): Promise<Response> {
    assertLoggedIn(context)
    if (!context.auth().allows(Permission.AdminAccess))
      throw new ForbiddenException('Your account may not open this page: it lacks the permission for it')
    return next()
  }
}

function assertLoggedIn(context: HttpContext): void {
  if (context.auth().isAuthenticated()) return
  const isRead = context.method() === 'GET' || context.method() === 'HEAD'
  // 303 after a form: the browser must not send it to the login page.
  throw new RedirectException(loginUrl(context, isRead), isRead ? 302 : 303)
}

function loginUrl(context: HttpContext, isRead: boolean): string {
  const target = isRead ? allowedReturnTarget(context, context.path()) : undefined
  if (target === undefined || target === context.url(DEFAULT_RETURN_ROUTE))
    return context.url('account:login')
  return context.url('account:login', { return_url: target })
}

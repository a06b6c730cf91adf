import type { HttpContext } from 'sallyport'
import { ForbiddenException, type Next } from 'sallyport/http'
import { RequireLogin } from '../../core/sessions/guards.ts'
import { Permission } from './permission.ts'

/** Admits users with the permission `admin.access`; redirects an anonymous request to the login page. */
export class RequireAdmin extends RequireLogin {
  /**
   * @returns The response of the rest of the chain.
   * @throws {TurnedAwayException} If the request is anonymous.
   * @throws {ForbiddenException} If the permission is missing.
   */
  override process(context: HttpContext, next: Next): Promise<Response> {
    return super.process(context, () => {
      if (context.auth().allows(Permission.AdminAccess)) return next()
      throw new ForbiddenException('Your account may not open this page: it lacks the required permission')
    })
  }
}

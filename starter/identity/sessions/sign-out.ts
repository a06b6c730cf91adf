import type { HttpContext } from 'sallyport'
import type { SessionAuthentication } from 'sallyport/auth'
import { forgetSeen } from './last-seen.ts'

/**
 * Ends the identity of a session by the wish of the person, whom the next page tells what happened: the login page does not say
 * once more that the session has ended. Other entries of the session are kept.
 *
 * @param context Context of the request.
 * @param sessions Session login and logout.
 * @throws {ServiceUnavailableException} If the session store fails.
 */
export async function signOut(context: HttpContext, sessions: SessionAuthentication): Promise<void> {
  await sessions.logout(context.session(), context.auth())
  forgetSeen(context)
}

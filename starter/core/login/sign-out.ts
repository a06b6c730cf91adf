import type { HttpContext } from 'sallyport'
import type { SessionAuthentication } from 'sallyport/auth'
import { discardPendingLogin } from '../challenges/pending-login.ts'
import { discardEnrollment } from './pending-enrollment.ts'
import { forgetSeen } from '../sessions/last-seen.ts'

/**
 * Ends the identity of a session by the wish of the person, whom the next page tells what happened: the login page does not say
 * once more that the session has ended. Other entries of the session are kept.
 *
 * @throws {ServiceUnavailableException} If the session store fails.
 */
export async function signOut(context: HttpContext, sessions: SessionAuthentication): Promise<void> {
  await sessions.logout(context.session(), context.auth())
  forgetSeen(context)
}

/**
 * Signs a browser out whose account somebody has closed by a link, with what waits in its session. Who is signed in to another account stays so.
 *
 * @throws {ServiceUnavailableException} If the session store fails.
 */
export async function signOutOf(
  accountId: string,
  context: HttpContext,
  sessions: SessionAuthentication,
): Promise<void> {
  const identifier = await sessions.identifier(context.session())
  if (identifier !== null && identifier !== accountId) return
  await discardPendingLogin(context.session())
  await discardEnrollment(context.session())
  await signOut(context, sessions)
}

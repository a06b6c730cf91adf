import type { HttpContext } from 'sallyport'
import type { SessionAuthentication } from 'sallyport/auth'
import { discardProofs } from 'sallyport-app/sessions'
import { discardPendingLogin } from '../challenges/pending-login.ts'
import { discardEnrollment } from './pending-enrollment.ts'

/** Ends what waits in a session: a pending login, an enrollment. */
export async function leaveLogin(context: HttpContext): Promise<void> {
  await discardPendingLogin(context.session())
  await discardEnrollment(context.session())
}

/** Ends the identity of a session, and what waits in it. */
export async function signOut(context: HttpContext, sessions: SessionAuthentication): Promise<void> {
  await discardProofs(context.session())
  // logout() does not remove `_2fa`.
  await leaveLogin(context)
  await sessions.logout(context.session(), context.auth())
}

/** Signs a browser out whose account somebody has closed by a link. Who is signed in to another account stays so. */
export async function signOutOf(
  accountId: string,
  context: HttpContext,
  sessions: SessionAuthentication,
): Promise<void> {
  const identifier = await sessions.identifier(context.session())
  if (identifier === null || identifier === accountId) await signOut(context, sessions)
}

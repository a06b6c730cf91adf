import type { Authentication } from '../auth/internal.ts'
import { whenReady } from '../core/internal.ts'
import { ForbiddenException } from '../http/index.ts'
import type { RequestSession } from '../session/internal.ts'

/**
 * Asks the store again whether the identity of the session stands, if it was read before the body had arrived.
 *
 * @param session Session of a request whose body has arrived, if it was accessed.
 * @param auth Authentication of the same request, if it was accessed.
 * @returns True, or a promise of it when the store must be asked.
 * @throws {ForbiddenException} If the identity has ended. The request is anonymous then.
 * @throws {ServiceUnavailableException} Rejects if the session store fails.
 */
export function confirmIdentity(
  session: RequestSession | null,
  auth: Authentication | null,
): true | Promise<true> {
  return whenReady(session?.confirm() ?? true, (stands) => {
    if (stands) return true
    auth?.clear()
    throw new ForbiddenException(
      'Your session ended, or was renewed long ago, while the request was on its way. Open the page again',
    )
  })
}

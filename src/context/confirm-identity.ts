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
  return whenReady(session?.stored.confirm() ?? true, (stands) => {
    if (stands) return true
    auth?.clear()
    throw new ForbiddenException(
      'Your session ended, or was renewed long ago, while the request was on its way. Open the page again',
    )
  })
}

// A body that takes longer was not sent together with its head.
const PATIENCE_MILLISECONDS = 5

/**
 * Does something while a body is awaited, unless it arrives at once.
 *
 * @param body The body.
 * @param work What is done; it never rejects.
 * @returns The body, when both have ended.
 */
export async function whileArriving<T>(body: Promise<T>, work: () => Promise<void>): Promise<T> {
  const working: Promise<void>[] = []
  const timer = setTimeout(() => void working.push(work()), PATIENCE_MILLISECONDS)
  try {
    return await body
  } finally {
    clearTimeout(timer)
    await Promise.all(working)
  }
}

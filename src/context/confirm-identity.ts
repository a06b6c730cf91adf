import type { Authentication } from '../auth/internal.ts'
import { whenReady } from '../core/internal.ts'
import { ForbiddenException } from '../http/index.ts'
import type { RequestSource } from '../http/internal.ts'
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

/** What is read ahead, and when. */
interface Ahead {
  received(): Pick<RequestSource, 'hasWholeBody'>
  readSessionAhead(): Promise<void>
}

/**
 * Awaits what is read from a body. Unless the body arrives at once, the session of a signed-in user is read meanwhile: if it is rotated
 * before the rest arrives, the request still has it.
 *
 * @param read What is read.
 * @param context Context of the request.
 * @returns The same; a promise only if it was one.
 */
export function whileArriving<T>(read: T | Promise<T>, context: Ahead): T | Promise<T> {
  return read instanceof Promise && !context.received().hasWholeBody ? reading(read, context) : read
}

async function reading<T>(read: Promise<T>, context: Ahead): Promise<T> {
  const ahead: Promise<void>[] = []
  const timer = setTimeout(() => void ahead.push(context.readSessionAhead()), PATIENCE_MILLISECONDS)
  try {
    return await read
  } finally {
    clearTimeout(timer)
    await Promise.all(ahead)
  }
}

import type { Clock, HttpContext } from 'sallyport'
import { hostCookieName } from './cookie-names.ts'

// The value is a Unix timestamp in seconds, and the path of the page that says what was done then: "1767225600/deletion/asked". It
// needs no signature: no other site can set it, and whoever forges it is told what they made up.
const NAME = 'done'
const SHAPE = /^(\d{1,12})(\/.*)$/

/** For how long a page says that something was done, to the browser that did it. */
export const DONE_SECONDS: number = 5 * 60

/**
 * Notes that something was done. No session is needed: many of these deeds end it, and others are done without one.
 *
 * @param context Context of the request that did it.
 * @param path Path of the page that says so.
 * @param clock Clock of the application.
 */
export function noteDone(context: HttpContext, path: string, clock: Clock): void {
  context
    .cookies()
    .set(hostCookieName(context, NAME), `${clock.timestamp()}${path}`, { maxAgeSeconds: DONE_SECONDS })
}

/**
 * Forgets it: who has signed in since may have changed or stopped it.
 *
 * @param context Context of the request that signs in.
 */
export function forgetDone(context: HttpContext): void {
  const name = hostCookieName(context, NAME)
  if (context.cookies().get(name) !== undefined) context.cookies().set(name, '', { maxAgeSeconds: 0 })
}

/**
 * @param context Context of a request for a page that says that something was done.
 * @param clock Clock of the application.
 * @param page Path of that page. Default: the one of the request.
 * @returns When this browser did it, as a Unix timestamp in seconds; undefined if not within the last minutes. Whoever types the
 *   address did not.
 */
export function doneAt(
  context: HttpContext,
  clock: Clock,
  page: string = context.path(),
): number | undefined {
  const [, at, path] = SHAPE.exec(context.cookies().get(hostCookieName(context, NAME)) ?? '') ?? []
  const age = clock.timestamp() - Number(at)
  return path === page && age >= 0 && age < DONE_SECONDS ? Number(at) : undefined
}

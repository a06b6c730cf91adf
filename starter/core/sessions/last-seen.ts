import type { Clock, HttpContext } from 'sallyport'
import type { SessionPolicy } from 'sallyport/session'
import { cookieName } from 'sallyport-app/pages'

// When this browser was last signed in, as a Unix timestamp in seconds, to within a minute: a session that has ended leaves nothing
// behind. It is no secret and proves nothing: whoever forges it is told another sentence.
const COOKIE = 'seen'
const SHAPE = /^\d{1,12}$/
const PRECISION_SECONDS = 60

/** Notes that somebody was here. */
export function noteSeen(context: HttpContext, clock: Clock): void {
  const now = clock.timestamp()
  if (Math.abs(now - (readSeen(context) ?? 0)) < PRECISION_SECONDS) return
  context.cookies().set(cookieName(context, COOKIE), String(now))
}

/** Forgets it: somebody signed out, or was told why they are not signed in. */
export function forgetSeen(context: HttpContext): void {
  const name = cookieName(context, COOKIE)
  if (context.cookies().get(name) !== undefined) context.cookies().set(name, '', { maxAgeSeconds: 0 })
}

/** @returns Whether the session of this browser has ended without a request for too long, or otherwise; undefined when there was none. */
export function endOfSession(
  context: HttpContext,
  { idleMilliseconds }: SessionPolicy,
  clock: Clock,
): 'idle' | 'otherwise' | undefined {
  const seen = readSeen(context)
  if (seen === undefined) return undefined
  const isIdle = clock.timestamp() + PRECISION_SECONDS >= seen + idleMilliseconds / 1000
  return isIdle ? 'idle' : 'otherwise'
}

function readSeen(context: HttpContext): number | undefined {
  const kept = context.cookies().get(cookieName(context, COOKIE)) ?? ''
  return SHAPE.test(kept) ? Number(kept) : undefined
}

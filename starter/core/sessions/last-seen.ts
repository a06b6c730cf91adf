import type { Clock, HttpContext } from 'sallyport'
import type { SessionPolicy } from 'sallyport/session'
import { cookieName } from './cookie-names.ts'

// The value is two Unix timestamps in seconds, "began.seen": the first request of the login, and the last one to within a minute.
// It is no secret and proves nothing: whoever forges it is told another sentence.
const COOKIE = 'seen'
const SHAPE = /^(\d{1,12})\.(\d{1,12})$/
const PRECISION_SECONDS = 60

/** Why somebody is not signed in any more: without a request for too long, for too long at all, or ended from elsewhere. */
export type EndOfSession = 'idle' | 'absolute' | 'elsewhere'

/** Notes that somebody was here. A session that has ended leaves nothing behind, so the browser keeps when it was used. */
export function noteSeen(context: HttpContext, clock: Clock): void {
  const now = clock.timestamp()
  const { began = now, seen = 0 } = readSeen(context) ?? {}
  if (Math.abs(now - seen) < PRECISION_SECONDS) return
  context.cookies().set(cookieName(context, COOKIE), `${began}.${now}`)
}

/** Forgets it: somebody signed out, or was told why they are not signed in. */
export function forgetSeen(context: HttpContext): void {
  const name = cookieName(context, COOKIE)
  if (context.cookies().get(name) !== undefined) context.cookies().set(name, '', { maxAgeSeconds: 0 })
}

/** @returns Why the session of this browser has ended; undefined when there was none, or its end was told. */
export function endOfSession(
  context: HttpContext,
  policy: SessionPolicy,
  clock: Clock,
): EndOfSession | undefined {
  const kept = readSeen(context)
  if (kept === undefined) return undefined
  const now = clock.timestamp() + PRECISION_SECONDS
  const idleEnd = kept.seen + policy.idleMilliseconds / 1000
  const absoluteEnd = kept.began + policy.absoluteMilliseconds / 1000
  if (now >= absoluteEnd && absoluteEnd <= idleEnd) return 'absolute'
  return now >= idleEnd ? 'idle' : 'elsewhere'
}

function readSeen(context: HttpContext): { readonly began: number; readonly seen: number } | undefined {
  const parts = SHAPE.exec(context.cookies().get(cookieName(context, COOKIE)) ?? '')
  return parts === null ? undefined : { began: Number(parts[1]), seen: Number(parts[2]) }
}

import type { Clock, HttpContext } from 'sallyport'
import type { SessionPolicy } from 'sallyport/session'
import { PENDING_LOGIN_KEY } from '../challenges/pending-login.ts'
import { ENROLLMENT_KEY } from '../factors/pending-enrollment.ts'
import { SETUP_KEY } from '../factors/pending-setup.ts'
import { absoluteEnd } from './last-seen.ts'

// A session may end so much too early.
const PRECISION_SECONDS = 60

/** When the forms of a page stop working. */
export interface PageEnd {
  /** Unix timestamp in seconds. */
  readonly at: number
  /** Whether the sign-in or the enrollment that the page belongs to is over then, and starts again with the password. */
  readonly startsOver: boolean
}

/**
 * The end of what the session waits for: a pending login, an enrollment or a set-up; otherwise the end of the session, if
 * nothing else is asked for.
 *
 * @param context Context of the request that shows the page.
 * @param policy Lifetimes of sessions.
 * @param clock Clock of the application.
 * @returns When the page ends.
 */
export async function endOfPage(context: HttpContext, policy: SessionPolicy, clock: Clock): Promise<PageEnd> {
  const now = clock.timestamp()
  const idle = now + policy.idleMilliseconds / 1000 - PRECISION_SECONDS
  let end: PageEnd = { at: Math.min(idle, absoluteEnd(context, policy) ?? idle), startsOver: false }
  for (const { key, startsOver } of WAITING) {
    const at = endOf(await context.session().get(key))
    if (at !== undefined && at > now && at <= end.at) end = { at, startsOver }
  }
  return end
}

const WAITING = [
  { key: SETUP_KEY, startsOver: false },
  { key: PENDING_LOGIN_KEY, startsOver: true },
  { key: ENROLLMENT_KEY, startsOver: true },
]

function endOf(entry: unknown): number | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined
  const fields: { readonly expires_at?: unknown } = entry
  return typeof fields.expires_at === 'number' ? fields.expires_at : undefined
}

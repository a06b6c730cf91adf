import { SessionPolicy } from 'sallyport/session'
import type { Settings } from '../../settings.ts'
import { cookieMark } from './cookie-names.ts'

/**
 * Lifetimes of sessions (ASVS 5.0, 7.1.1). Idle: half an hour, because the account page shows where a user signed in from, and
 * browsers are left open. Absolute: a working day. Concurrent sessions are allowed; each has its own lifetime.
 */
const LIFETIMES = { idleSeconds: 30 * 60, absoluteSeconds: 12 * 60 * 60 }

/**
 * @param settings Where the application is, if others may be on its host.
 * @returns The lifetimes of sessions, and the name of their cookie. Whatever it is called, all processes know a stored session by
 *   the same key.
 */
export function sessionPolicy({
  basePath,
  cookiePort: port,
}: Pick<Settings, 'basePath' | 'cookiePort'>): SessionPolicy {
  const plain = new SessionPolicy(LIFETIMES)
  const mark = cookieMark({ basePath, port })
  return mark === ''
    ? plain
    : new SessionPolicy({ ...LIFETIMES, cookieName: `sid${mark}`, area: plain.cookieName })
}

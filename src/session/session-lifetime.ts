import type { SessionPolicy } from './session-policy.ts'
import type { SessionRecord } from './session-store.ts'

/**
 * Checks whether a record has expired. Clocks step, and machines disagree, so a record may be dated in the future. Within
 * the precision of the policy it counts as dated now. Beyond that its age is unknown and it counts as expired, tombstones
 * included: they must not keep a browser from starting a new session. A record created in the past and used in the future
 * is cut to the idle time when it is read.
 *
 * @param record A record of the store.
 * @param policy Lifetimes.
 * @param now Current time in Unix milliseconds.
 * @returns Whether it has expired.
 */
export function isOver(record: SessionRecord, policy: SessionPolicy, now: number): boolean {
  const { createdAt, expiresAt, ended } = record
  if (expiresAt <= now || createdAt - now > policy.precisionMilliseconds) return true
  return !ended && policy.expiryAt(createdAt, now) <= now
}

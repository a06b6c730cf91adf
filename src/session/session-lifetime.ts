import type { SessionPolicy } from './session-policy.ts'
import type { SessionRecord } from './session-store.ts'

/**
 * Clocks step, and those of two machines differ: a record may be dated in the future. Within the precision of the
 * policy it counts as of now. Beyond, nobody can tell how old it is, so it is over, tombstones included: they must not
 * keep a browser from starting anew. A record that began in the past and was used in the future is cut to the idle time
 * when it is read.
 *
 * @param record What a store gave.
 * @param policy Lifetimes.
 * @param now The present, in Unix milliseconds.
 * @returns Whether it has ended by its times.
 */
export function isOver(record: SessionRecord, policy: SessionPolicy, now: number): boolean {
  const { createdAt, expiresAt, ended } = record
  if (expiresAt <= now || createdAt - now > policy.precisionMilliseconds) return true
  return !ended && policy.expiryAt(createdAt, now) <= now
}

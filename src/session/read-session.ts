import { readClock, publish } from '../core/internal.ts'
import { ServiceUnavailableException } from '../http/index.ts'
import { isOver } from './session-lifetime.ts'
import { isMalformed } from './session-store-exception.ts'
import type { SessionRecord } from './session-store.ts'
import type { SessionServices, SessionWork } from './session-writer.ts'

/**
 * State of the session identifier of a request: `none` (no cookie, or one that the store does not know), `live`, or
 * `ended` (another request rotated or destroyed it recently: the request is anonymous and leaves the browser's cookie
 * alone).
 */
export type SessionState = 'none' | 'live' | 'ended'

/** The stored state of an identifier, judged by the request's clock. */
export interface SessionReading extends Pick<SessionWork, 'behind' | 'record' | 'readAt'> {
  /** State of the identifier. */
  readonly state: SessionState
  /** Digest of the identifier that took the place of an ended one; null if none did. */
  readonly successor: string | null
}

/**
 * Reads the session of an identifier.
 *
 * @param services Store, policy and clock.
 * @param id Digest of the identifier.
 * @returns The stored state, judged by the clock.
 * @throws {ServiceUnavailableException} If the store fails.
 * @throws {TypeError} If the clock returns no valid time.
 */
export async function readSession(services: SessionServices, id: string): Promise<SessionReading> {
  const { store, clock, policy } = services
  const readAt = readClock(clock)
  let record: SessionRecord | null
  try {
    record = await store.read(id)
  } catch (cause) {
    if (!isMalformed(cause)) {
      publish('store-failed', { operation: 'read', cause })
      throw new ServiceUnavailableException('Sessions cannot be read at the moment', { cause })
    }
    // The user cannot repair the record, so the request continues anonymously.
    publish('session-malformed', { part: 'record', key: null })
    return { state: 'none', behind: 'unusable', record: null, readAt, successor: null }
  }
  const successor = null
  if (record === null) return { state: 'none', behind: 'nothing', record, readAt, successor }
  if (isOver(record, policy, readClock(clock)))
    return { state: 'none', behind: 'unusable', record: null, readAt, successor }
  if (record.ended)
    return { state: 'ended', behind: 'ended', record: null, readAt, successor: record.successor }
  return { state: 'live', behind: 'nothing', record, readAt, successor }
}

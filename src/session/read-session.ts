import { readClock, publish } from '../core/internal.ts'
import { ServiceUnavailableException } from '../http/index.ts'
import { isOver } from './session-lifetime.ts'
import { isMalformed } from './session-store-exception.ts'
import type { SessionRecord } from './session-store.ts'
import type { SessionServices, SessionWork } from './session-writer.ts'
import { UnnamedSessionStore } from './unnamed-session-store.ts'

/**
 * How the identifier of a request stands: `none` (no cookie, or one that the store does not know), `live`, or
 * `ended` (rotated or destroyed by another request a moment ago: anonymous, and the browser's cookie is left alone).
 */
export type SessionState = 'none' | 'live' | 'ended'

/** What the store has of an identifier, as the request judges it. */
export interface SessionReading extends Pick<SessionWork, 'behind' | 'record' | 'readAt'> {
  /** How the identifier stands. */
  readonly state: SessionState
}

/**
 * Reads the session of an identifier.
 *
 * @param services Store, policy and clock.
 * @param id Digest of the identifier.
 * @returns What the store has, judged by the clock.
 * @throws {ServiceUnavailableException} If the store fails.
 * @throws {TypeError} If the clock gives no moment.
 */
export async function readSession(services: SessionServices, id: string): Promise<SessionReading> {
  const { store, clock, policy } = services
  if (store instanceof UnnamedSessionStore) return store.read()
  const readAt = readClock(clock)
  let record: SessionRecord | null
  try {
    record = await store.read(id)
  } catch (cause) {
    if (!isMalformed(cause)) {
      publish('store-failed', { operation: 'read', cause })
      throw new ServiceUnavailableException('Sessions cannot be read at the moment', { cause })
    }
    // The browser is not kept out for what it cannot mend: it goes on as a stranger.
    publish('session-malformed', { part: 'record', key: null })
    return { state: 'none', behind: 'unusable', record: null, readAt }
  }
  if (record === null) return { state: 'none', behind: 'nothing', record, readAt }
  if (isOver(record, policy, readClock(clock)))
    return { state: 'none', behind: 'unusable', record: null, readAt }
  if (record.ended) return { state: 'ended', behind: 'ended', record: null, readAt }
  return { state: 'live', behind: 'nothing', record, readAt }
}

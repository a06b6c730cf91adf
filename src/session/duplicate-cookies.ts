import { readClock } from '../core/internal.ts'
import { BadRequestException } from '../http/index.ts'
import { isOver } from './session-lifetime.ts'
import { isMalformed } from './session-store-exception.ts'
import type { SessionRecord } from './session-store.ts'
import { NO_CHANGES } from './pending-changes.ts'
import { type SessionServices, type SessionWork, SessionWriter } from './session-writer.ts'

// A browser sends one for each path and domain. A client that sends a thousand must not cause a thousand lookups.
const MAX_DUPLICATES = 16

/**
 * @param ids All values sent under the name of the cookie.
 * @throws {BadRequestException} If there are more than a browser sends.
 */
export function assertFew(ids: readonly string[]): void {
  if (ids.length > MAX_DUPLICATES)
    throw new BadRequestException(
      `The session cannot be ended: the request has ${ids.length} session cookies. Delete the cookies of this site`,
    )
}

/**
 * Ends the sessions of several identifiers, and the session that each was recently rotated to. An identifier that the
 * store does not know costs one lookup.
 *
 * @param services Store, policy and clock.
 * @param ids Digests of the identifiers.
 * @throws {Error} If the store fails; the remaining sessions are not ended then.
 */
export async function endSessions(services: SessionServices, ids: readonly string[]): Promise<void> {
  for (const id of new Set(ids)) await endSession(services, id)
}

async function endSession(services: SessionServices, id: string): Promise<void> {
  const readAt = readClock(services.clock)
  let record: SessionRecord | null
  try {
    record = await services.store.read(id)
  } catch (error) {
    if (!isMalformed(error)) throw error
    return services.store.destroy(id)
  }
  if (record === null) return
  const work = {
    id,
    readAt,
    changes: NO_CHANGES,
    keepingNewer: NO_CHANGES.removed,
    dropped: null,
    next: null,
    isDestroyed: true,
    restartsLifetime: false,
  }
  const behind = standing(record, services)
  await new SessionWriter(services, { ...work, behind, record: behind === 'nothing' ? record : null }).write()
}

// The same rules as for a request with a single cookie.
function standing(record: SessionRecord, { policy, clock }: SessionServices): SessionWork['behind'] {
  if (isOver(record, policy, readClock(clock))) return 'unusable'
  return record.ended ? 'ended' : 'nothing'
}

import { readClock } from '../core/internal.ts'
import { BadRequestException } from '../http/index.ts'
import { isOver } from './session-lifetime.ts'
import { isMalformed } from './session-store-exception.ts'
import type { SessionRecord } from './session-store.ts'
import { NO_CHANGES } from './pending-changes.ts'
import { type SessionServices, type SessionWork, SessionWriter } from './session-writer.ts'

// A browser has one for each path and domain; a client that sends a thousand must not cost a thousand lookups.
const MAX_DUPLICATES = 16

/**
 * @param ids What was sent under the name of the cookie.
 * @throws {BadRequestException} If it is more than a browser sends.
 */
export function assertFew(ids: readonly string[]): void {
  if (ids.length > MAX_DUPLICATES)
    throw new BadRequestException(
      `The session cannot be ended: the request has ${ids.length} session cookies. Delete the cookies of this site`,
    )
}

/**
 * Ends the sessions of several identifiers, and what each of them was rotated to a moment ago. One that the store does not
 * know costs a lookup.
 *
 * @param services Store, policy and clock.
 * @param ids Their digests.
 * @throws {Error} If the store fails: those that come after it are not ended then.
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
    dropped: null,
    next: null,
    isDestroyed: true,
    restartsLifetime: false,
  }
  const behind = standing(record, services)
  await new SessionWriter(services, { ...work, behind, record: behind === 'nothing' ? record : null }).write()
}

// As the session of a request with one cookie is judged.
function standing(record: SessionRecord, { policy, clock }: SessionServices): SessionWork['behind'] {
  if (isOver(record, policy, readClock(clock))) return 'unusable'
  return record.ended ? 'ended' : 'nothing'
}

import type { OwnedSession, SessionData, SessionRecord } from './session-store.ts'
import { SessionStoreException } from './session-store-exception.ts'

/**
 * Checks the result of `read()`, because a store of the application may return anything.
 *
 * @param answer The result.
 * @returns A copy of the record without getters; null when there is none.
 * @throws {SessionStoreException} If it is not a record.
 */
export function checkedRecord(answer: unknown): SessionRecord | null {
  if (answer === null || answer === undefined) return null
  const record = recordOf(answer)
  if (record !== null) return record
  throw new SessionStoreException('ERR_SESSION_STORE_MALFORMED', 'The session store')
}

/**
 * @param operation The operation.
 * @param answer The result of `update()` or `rotate()`.
 * @returns The same value.
 * @throws {SessionStoreException} If it is neither true nor false: it is then unknown whether the session was written.
 */
export function checkedFlag(operation: 'update' | 'rotate', answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer
  throw new SessionStoreException('ERR_SESSION_STORE_ANSWER', `${operation}() of the session store`)
}

/**
 * @param answer The result of `sessionsOf()`.
 * @returns Copies of the sessions; a malformed record is null.
 * @throws {SessionStoreException} If it is not a list of sessions.
 */
export function checkedSessions(answer: unknown): readonly OwnedSession[] {
  if (!Array.isArray(answer)) throw notAList()
  return answer.map((session: unknown) => {
    if (typeof session !== 'object' || session === null) throw notAList()
    const { id, record } = session as Readonly<Record<string, unknown>>
    if (typeof id !== 'string') throw notAList()
    return { id, record: recordOf(record) }
  })
}

function notAList(): SessionStoreException {
  return new SessionStoreException('ERR_SESSION_STORE_MALFORMED', 'The list of the session store')
}

// Each member is read once, because a getter may return something else the next time.
function recordOf(answer: unknown): SessionRecord | null {
  if (typeof answer !== 'object' || answer === null) return null
  const {
    data,
    ended,
    successor,
    createdAt,
    expiresAt,
    owner = null,
  } = answer as Readonly<Record<string, unknown>>
  const entries = data instanceof Map ? entriesOf(data) : null
  if (entries === null || typeof ended !== 'boolean') return null
  if (typeof successor !== 'string' && successor !== null) return null
  if (successor !== null && !ended) return null
  if (typeof owner !== 'string' && owner !== null) return null
  if (!isMoment(createdAt) || !isMoment(expiresAt)) return null
  return { data: entries, ended, successor, createdAt, expiresAt, owner }
}

// A subclass of `Map`, or a map with members of its own, is only iterated; nothing else of it is called.
function entriesOf(data: ReadonlyMap<unknown, unknown>): SessionData | null {
  const entries = new Map<string, string>()
  let isText = true
  try {
    Map.prototype.forEach.call(data, (text: unknown, key: unknown) => {
      if (typeof key === 'string' && typeof text === 'string') entries.set(key, text)
      else isText = false
    })
  } catch {
    // A proxy of a map is not a map.
    return null
  }
  return isText ? entries : null
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

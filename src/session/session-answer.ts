import type { SessionData, SessionRecord } from './session-store.ts'
import { SessionStoreException } from './session-store-exception.ts'

/**
 * Checks what a store gave: one that the application wrote may give anything.
 *
 * @param answer What `read()` gave.
 * @returns A copy of the record, which reads the same each time; null when there is none.
 * @throws {SessionStoreException} If it is not a record.
 */
export function checkedRecord(answer: unknown): SessionRecord | null {
  if (answer === null || answer === undefined) return null
  const record = recordOf(answer)
  if (record !== null) return record
  throw new SessionStoreException('ERR_SESSION_STORE_MALFORMED', 'The session store')
}

/**
 * @param operation What was asked.
 * @param answer What `update()` or `rotate()` gave.
 * @returns The same.
 * @throws {SessionStoreException} If it is neither true nor false: whether the session was written is unknown then.
 */
export function checkedFlag(operation: 'update' | 'rotate', answer: unknown): boolean {
  if (typeof answer === 'boolean') return answer
  throw new SessionStoreException('ERR_SESSION_STORE_ANSWER', `${operation}() of the session store`)
}

// Each member is read once: a getter may answer otherwise the next time.
function recordOf(answer: unknown): SessionRecord | null {
  if (typeof answer !== 'object' || answer === null) return null
  const { data, ended, successor, createdAt, expiresAt } = answer as Readonly<Record<string, unknown>>
  const entries = data instanceof Map ? entriesOf(data) : null
  if (entries === null || typeof ended !== 'boolean') return null
  if (typeof successor !== 'string' && successor !== null) return null
  if (successor !== null && !ended) return null
  if (!isMoment(createdAt) || !isMoment(expiresAt)) return null
  return { data: entries, ended, successor, createdAt, expiresAt }
}

// Of a class that extends `Map`, or one with members of its own, the entries are taken and nothing else is called.
function entriesOf(data: ReadonlyMap<unknown, unknown>): SessionData | null {
  const entries = new Map<string, string>()
  let isText = true
  try {
    Map.prototype.forEach.call(data, (text: unknown, key: unknown) => {
      if (typeof key === 'string' && typeof text === 'string') entries.set(key, text)
      else isText = false
    })
  } catch {
    // A proxy of a map is none.
    return null
  }
  return isText ? entries : null
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

import type { SessionRecord } from './session-store.ts'
import { SessionStoreException } from './session-store-exception.ts'

/**
 * Checks what a store gave: one that the application wrote may give anything.
 *
 * @param answer What `read()` gave.
 * @returns The record; null when there is none.
 * @throws {SessionStoreException} If it is not a record.
 */
export function checkedRecord(answer: unknown): SessionRecord | null {
  if (answer === null || answer === undefined) return null
  if (isRecord(answer)) return answer
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

function isRecord(record: unknown): record is SessionRecord {
  if (typeof record !== 'object' || record === null) return false
  const { data, ended, successor, createdAt, expiresAt } = record as Partial<
    Record<keyof SessionRecord, unknown>
  >
  return (
    data instanceof Map &&
    holdsTexts(data) &&
    typeof ended === 'boolean' &&
    (successor === null || (ended && typeof successor === 'string')) &&
    Number.isFinite(createdAt) &&
    Number.isFinite(expiresAt)
  )
}

function holdsTexts(data: ReadonlyMap<unknown, unknown>): boolean {
  for (const [key, text] of data) if (typeof key !== 'string' || typeof text !== 'string') return false
  return true
}

import type { SessionRecord } from './session-store.ts'
import { SessionStoreException } from './session-store-exception.ts'

/**
 * Looks at what a store gave: one of somebody else's making may give anything.
 *
 * @param record What `read()` gave.
 * @returns The record; null when there is none.
 * @throws {SessionStoreException} If it is no record.
 */
export function checkedRecord(record: SessionRecord | null | undefined): SessionRecord | null {
  if (record === null || record === undefined) return null
  if (isRecord(record)) return record
  throw new SessionStoreException('ERR_SESSION_STORE_MALFORMED', 'The session store')
}

function isRecord(record: unknown): boolean {
  if (typeof record !== 'object' || record === null) return false
  const { data, ended, successor, createdAt, expiresAt } = record as Partial<
    Record<keyof SessionRecord, unknown>
  >
  return (
    data instanceof Map &&
    holdsTexts(data) &&
    typeof ended === 'boolean' &&
    (successor === null || typeof successor === 'string') &&
    Number.isFinite(createdAt) &&
    Number.isFinite(expiresAt)
  )
}

function holdsTexts(data: ReadonlyMap<unknown, unknown>): boolean {
  for (const [key, text] of data) if (typeof key !== 'string' || typeof text !== 'string') return false
  return true
}

import type { SessionData } from './session-store.ts'

const NO_SESSION = 'Cannot read a session: its row holds another value'

/**
 * Checks entries that were stored as one JSON object with JSON values as strings.
 *
 * @param stored The parsed JSON.
 * @returns Keys and JSON values.
 * @throws {SyntaxError} If it is not an object of strings.
 */
export function storedEntries(stored: unknown): [string, string][] {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored))
    throw new SyntaxError(NO_SESSION)
  const entries: [string, unknown][] = Object.entries(stored)
  if (!areTexts(entries)) throw new SyntaxError(NO_SESSION)
  return entries
}

/**
 * @param data The entries of a record.
 * @param expected The entries that a change expects; undefined for any.
 * @returns Whether the entries are exactly these, in any order.
 */
export function areExpected(data: SessionData, expected: SessionData | undefined): boolean {
  if (expected === undefined) return true
  return data.size === expected.size && [...expected].every(([key, text]) => data.get(key) === text)
}

function areTexts(entries: [string, unknown][]): entries is [string, string][] {
  return entries.every(([, text]) => typeof text === 'string')
}

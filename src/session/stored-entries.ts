import type { SessionData } from './session-store.ts'

const NO_SESSION = 'Cannot read a session: its row holds something else'

/**
 * Checks what was kept as one JSON object of JSON texts.
 *
 * @param stored What the JSON gave.
 * @returns Keys and texts.
 * @throws {SyntaxError} If it is no object of texts.
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
 * @param expected The entries that a change expects; undefined: any.
 * @returns Whether they are these and no others, in any order.
 */
export function areExpected(data: SessionData, expected: SessionData | undefined): boolean {
  if (expected === undefined) return true
  return data.size === expected.size && [...expected].every(([key, text]) => data.get(key) === text)
}

function areTexts(entries: [string, unknown][]): entries is [string, string][] {
  return entries.every(([, text]) => typeof text === 'string')
}

import type { SessionChanges } from './session-store.ts'

/**
 * Refuses changes that would leave more in a session than its policy allows.
 *
 * @param before The entries of the session.
 * @param changes What is set and removed.
 * @param maxBytes The most bytes of keys and JSON texts together.
 * @throws {RangeError} If there would be more.
 */
export function assertSize(
  before: ReadonlyMap<string, string>,
  { set, removed }: SessionChanges,
  maxBytes: number,
): void {
  // A character takes three bytes at most, so that nearly every session is known to be small without being measured.
  if (3 * (charactersOf(before) + charactersOf(set)) <= maxBytes) return
  let size = 0
  for (const [key, text] of set) size += Buffer.byteLength(key) + Buffer.byteLength(text)
  for (const [key, text] of before) {
    if (!set.has(key) && !removed.has(key)) size += Buffer.byteLength(key) + Buffer.byteLength(text)
  }
  if (size > maxBytes)
    throw new RangeError(`Cannot keep ${size} bytes in a session: the policy allows ${maxBytes}`)
}

function charactersOf(entries: ReadonlyMap<string, string>): number {
  let count = 0
  entries.forEach((text, key) => {
    count += key.length + text.length
  })
  return count
}

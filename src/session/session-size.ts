import { sentence } from '../core/internal.ts'
import { MAX_DETAILS_BYTES } from './account-entry.ts'
import { DISPENSABLE_PREFIX } from './dispensable-prefix.ts'
import { ACCOUNT_KEY, IDENTITY_KEY } from './identity-key.ts'
import type { SessionChanges } from './session-store.ts'

// The framework's own entries: the identity, what describes the session for its account, and the secret of CSRF tokens.
// Without them nobody could sign in or submit a form, so a full session still accepts them, each up to this size in bytes.
const OWN_KEYS: ReadonlyMap<string, number> = new Map([
  [IDENTITY_KEY, 1024],
  [ACCOUNT_KEY, MAX_DETAILS_BYTES + 1024],
  ['_csrf', 1024],
])

/**
 * Limits changes so that the session stays within its policy. Dispensable entries are dropped first. A session already over
 * the limit, because a release lowered it, accepts changes that do not enlarge the application's entries.
 *
 * @param before The entries of the session.
 * @param changes The changes.
 * @param maxBytes Maximum size of keys and JSON together.
 * @returns The changes, with dispensable entries removed if necessary.
 * @throws {RangeError} If the session would still be too large, and the application's entries larger than before.
 */
export function fittingChanges(
  before: ReadonlyMap<string, string>,
  changes: SessionChanges,
  maxBytes: number,
): SessionChanges {
  // A character takes at most three bytes, so nearly every session is known to be small without measuring it.
  if (3 * (charactersOf(before) + charactersOf(changes.set)) <= maxBytes) return changes
  const after = new Map(before)
  for (const key of changes.removed) after.delete(key)
  for (const [key, text] of changes.set) after.set(key, text)
  let size = 0
  for (const entry of after) size += bytesOf(entry)
  if (size <= maxBytes) return changes
  const set = new Map(changes.set)
  const removed = new Set(changes.removed)
  for (const entry of dispensableOf(after)) {
    if (size <= maxBytes) break
    size -= bytesOf(entry)
    set.delete(entry[0])
    if (before.has(entry[0])) removed.add(entry[0])
  }
  if (size > maxBytes && applicationBytes(after) > applicationBytes(before))
    throw tooLarge(set, size, maxBytes)
  return { set, removed }
}

// The message names the largest new entry, but no value.
function tooLarge(set: ReadonlyMap<string, string>, size: number, maxBytes: number): RangeError {
  const [largest] = [...set].sort((a, b) => bytesOf(b) - bytesOf(a))
  const entry = largest === undefined ? 'this' : `"${largest[0]}" of ${bytesOf(largest)} bytes`
  return new RangeError(
    sentence`Cannot keep ${entry} in the session: it would hold ${size} bytes, and maxBytes of its policy allows ${maxBytes}`,
  )
}

function dispensableOf(entries: ReadonlyMap<string, string>): [string, string][] {
  return [...entries]
    .filter(([key]) => key.startsWith(DISPENSABLE_PREFIX))
    .sort(([a], [b]) => (a < b ? -1 : 1))
}

function applicationBytes(entries: ReadonlyMap<string, string>): number {
  let size = 0
  for (const entry of entries) if (!isOwn(entry)) size += bytesOf(entry)
  return size
}

function isOwn(entry: readonly [string, string]): boolean {
  if (entry[0].startsWith(DISPENSABLE_PREFIX)) return true
  return bytesOf(entry) <= (OWN_KEYS.get(entry[0]) ?? -1)
}

function bytesOf([key, text]: readonly [string, string]): number {
  return Buffer.byteLength(key) + Buffer.byteLength(text)
}

function charactersOf(entries: ReadonlyMap<string, string>): number {
  let count = 0
  entries.forEach((text, key) => {
    count += key.length + text.length
  })
  return count
}

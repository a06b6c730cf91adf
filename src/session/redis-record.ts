import type { Lifetime, SessionData, SessionRecord } from './session-store.ts'

/*
 * The value of a key, as one string (RS is U+001E, US is U+001F):
 *
 *   live       "L" createdAt " " expiresAt [ " " owner " " till ] RS ( key US value RS )*
 *   tombstone  "E" createdAt " " expiresAt RS successor
 *
 * Times are decimal Unix milliseconds. Keys and values are JSON, which contains no raw control character: the separators
 * need no escaping, and both scripts and readers work without a JSON parser. The successor is the identifier that a
 * rotation moved the entries to, empty after destroy().
 * The owner has no blanks; `till` is until when the index of its sessions names this one, by the server's clock.
 *
 * Measured against one JSON document and against a hash with a field for each entry (4 entries, 32 reads in flight):
 * 6.5 us of processor time for a read, against 18.7 and 16.1; with 44 entries 28 against 52 and 89.
 */
const END_OF_ENTRY = '\u001e'
const END_OF_KEY = '\u001f'
const LIVE = 76
const ENDED = 69
const QUOTE = 34

/**
 * @param lifetime Lifetime of a record.
 * @returns The head of a live record, without owner and entries.
 */
export function liveHead({ createdAt, expiresAt }: Lifetime): string {
  return `L${createdAt} ${expiresAt}`
}

/**
 * @param lifetime Lifetime of a record.
 * @param data Its entries.
 * @param ownership Owner and `till`, with a blank before each. Default: no owner.
 * @returns A live record.
 * @throws {TypeError} If a value is not JSON.
 */
export function liveText(lifetime: Lifetime, data: SessionData, ownership = ''): string {
  return liveHead(lifetime) + ownership + END_OF_ENTRY + entriesText(data)
}

/**
 * @param lifetime Lifetime of a tombstone.
 * @returns The head of a tombstone, without its successor.
 */
export function tombstoneHead({ createdAt, expiresAt }: Lifetime): string {
  return `E${createdAt} ${expiresAt}${END_OF_ENTRY}`
}

/**
 * @param key Key of an entry.
 * @returns The key as it is stored.
 */
export function keyText(key: string): string {
  return JSON.stringify(key)
}

/**
 * @param data Entries.
 * @returns The entries as they are stored.
 * @throws {TypeError} If a value is not JSON.
 */
export function entriesText(data: SessionData): string {
  let text = ''
  for (const [key, value] of data) {
    // A separator in a value would be read as the start of another entry.
    if (value.includes(END_OF_ENTRY) || value.includes(END_OF_KEY)) {
      throw new TypeError(`Cannot keep ${keyText(key)}: its value is not JSON`)
    }
    text += keyText(key) + END_OF_KEY + value + END_OF_ENTRY
  }
  return text
}

/**
 * @param text The value of a key.
 * @returns The record.
 * @throws {SyntaxError} If it is not a record.
 */
export function parseRecord(text: string): SessionRecord {
  const endOfHead = text.indexOf(END_OF_ENTRY)
  const [created, expires, owner = null] = text.slice(1, endOfHead).split(' ')
  const createdAt = Number(created)
  const expiresAt = Number(expires)
  const kind = text.charCodeAt(0)
  if ((kind !== LIVE && kind !== ENDED) || endOfHead === -1 || !(expiresAt >= 0) || !(createdAt >= 0)) {
    throw new SyntaxError('Cannot read a session: Redis holds another value under its key')
  }
  const ended = kind === ENDED
  const rest = endOfHead + 1
  if (!ended) return { data: parseEntries(text, rest), ended, successor: null, createdAt, expiresAt, owner }
  const successor = rest < text.length ? text.slice(rest) : null
  return { data: new Map(), ended, successor, createdAt, expiresAt, owner: null }
}

function parseEntries(text: string, start: number): SessionData {
  const data = new Map<string, string>()
  let at = start
  while (at < text.length) {
    const endOfKey = text.indexOf(END_OF_KEY, at)
    const end = text.indexOf(END_OF_ENTRY, endOfKey)
    if (endOfKey === -1 || end === -1)
      throw new SyntaxError('Cannot read a session: one of its entries is truncated')
    data.set(parseKey(text.slice(at, endOfKey)), text.slice(endOfKey + 1, end))
    at = end + 1
  }
  return data
}

// Hardly any key needs unescaping, and slicing is five times as fast as parsing.
function parseKey(text: string): string {
  const last = text.length - 1
  if (last < 1 || text.charCodeAt(0) !== QUOTE || text.charCodeAt(last) !== QUOTE)
    throw new SyntaxError('Cannot read a session: one of its keys is not a string')
  return text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1)
}

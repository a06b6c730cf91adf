const SPECIAL = /[&<>"']/
const LAST_SPECIAL = 62

// A longer string, or one with a character beyond Latin-1, is put together from pieces.
const MAX_SHORT = 512
const MAX_REFERENCE = 6
const short = Buffer.allocUnsafeSlow(MAX_SHORT * MAX_REFERENCE)

/**
 * Escapes a string for HTML element content and quoted attribute values.
 *
 * @param text Any string.
 * @returns The string with the five special characters replaced by character references.
 */
export function escapeHtml(text: string): string {
  if (!SPECIAL.test(text)) return text
  return (text.length > MAX_SHORT ? null : escapeShort(text)) ?? escapePieces(text)
}

// Written into one buffer: a string put together from pieces takes more time, and memory for each piece.
function escapeShort(text: string): string | null {
  let end = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 255) return null
    // Most letters come behind the special characters.
    const reference = unit > LAST_SPECIAL ? null : referenceOf(unit)
    if (reference === null) short[end++] = unit
    else end = append(reference.bytes, end)
  }
  return short.toString('latin1', 0, end)
}

function append(bytes: Uint8Array, end: number): number {
  for (let at = 0; at < bytes.length; at++) short[end + at] = bytes[at] ?? 0
  return end + bytes.length
}

function escapePieces(text: string): string {
  let escaped = ''
  let done = 0
  // Several times as fast as a replacement by a function.
  for (let at = 0; at < text.length; at++) {
    const reference = referenceOf(text.charCodeAt(at))
    if (reference === null) continue
    escaped += text.slice(done, at) + reference.text
    done = at + 1
  }
  return escaped + text.slice(done)
}

interface Reference {
  readonly text: string
  readonly bytes: Uint8Array
}

const QUOTATION_MARK = characterReference('&quot;')
const AMPERSAND = characterReference('&amp;')
const APOSTROPHE = characterReference('&#39;')
const LESS_THAN = characterReference('&lt;')
const GREATER_THAN = characterReference('&gt;')

function characterReference(text: string): Reference {
  return { text, bytes: Uint8Array.from(text, (character) => character.charCodeAt(0)) }
}

// A switch: looking into a map or a list takes longer.
function referenceOf(unit: number): Reference | null {
  switch (unit) {
    case 34:
      return QUOTATION_MARK
    case 38:
      return AMPERSAND
    case 39:
      return APOSTROPHE
    case 60:
      return LESS_THAN
    case 62:
      return GREATER_THAN
    default:
      return null
  }
}

/**
 * Converts characters to escape sequences of JSON and TypeScript.
 *
 * @param characters The characters.
 * @returns An escape such as `\u0085` for each UTF-16 code unit.
 */
export function asEscapes(characters: string): string {
  return characters.replaceAll(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

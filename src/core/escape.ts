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
  const at = text.search(SPECIAL)
  if (at === -1) return text
  return (text.length > MAX_SHORT ? null : escapeShort(text)) ?? escapePieces(text, at)
}

// Written into one buffer: a string put together from pieces takes more time, and memory for each piece.
function escapeShort(text: string): string | null {
  let end = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 255) return null
    // Most letters come behind the special characters.
    const reference = unit > LAST_SPECIAL ? '' : referenceOf(unit)
    if (reference === '') short[end++] = unit
    else for (let i = 0; i < reference.length; i++) short[end++] = reference.charCodeAt(i)
  }
  return short.toString('latin1', 0, end)
}

function escapePieces(text: string, from: number): string {
  let escaped = ''
  let done = 0
  // Several times as fast as a replacement by a function.
  for (let at = from; at < text.length; at++) {
    const reference = referenceOf(text.charCodeAt(at))
    if (reference === '') continue
    escaped += text.slice(done, at) + reference
    done = at + 1
  }
  return escaped + text.slice(done)
}

function referenceOf(unit: number): string {
  switch (unit) {
    case 34:
      return '&quot;'
    case 38:
      return '&amp;'
    case 39:
      return '&#39;'
    case 60:
      return '&lt;'
    case 62:
      return '&gt;'
    default:
      return ''
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

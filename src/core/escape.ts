const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/**
 * Escapes a string for HTML element content and quoted attribute values.
 *
 * @param text Any string.
 * @returns The string with the five special characters replaced by character references.
 */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character)
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

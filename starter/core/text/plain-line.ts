// Bidirectional controls turn the text around them, and line breaks and controls do the same to lists and mails.
const DISTURBING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
// At least one that is seen: others take no room.
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Tells whether what somebody typed can stand in pages, lists and mails without disturbing what is around it.
 *
 * @returns Whether it is one line with something to see.
 */
export function isPlainLine(text: string): boolean {
  return VISIBLE.test(text) && !DISTURBING.test(text)
}

/** The longest name of a person, in characters. */
export const NAME_CHARACTERS = 100

// Bidirectional controls turn the text around them, and line breaks and controls do the same to lists and mails.
const DISTURBING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
// At least one that is seen.
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Tells whether a name can stand in pages, lists and mails without disturbing what is around it.
 *
 * @param name Name as its owner typed it, without blanks around it.
 * @returns Whether it may be used.
 */
export function isOwnerName(name: string): boolean {
  return name.length <= NAME_CHARACTERS && VISIBLE.test(name) && !DISTURBING.test(name)
}

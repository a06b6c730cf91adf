// Bidirectional controls turn the text around them, and line breaks and controls do the same to lists and mails.
const DISTURBING = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
// At least one that is seen: others take no room.
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

// Longest value that a sentence takes: names of factors, devices and tokens are chosen by people and by their browsers.
const VALUE_CHARACTERS = 80

/** The longest name of a person, in characters. */
export const NAME_CHARACTERS = 100

/**
 * Says whether a text can stand on a line of a page, list or mail, whoever chose it.
 *
 * @param text Any text.
 * @returns Whether it is one line with something to see, which disturbs nothing around it.
 */
export function isPlainLine(text: string): boolean {
  return VISIBLE.test(text) && !DISTURBING.test(text)
}

/**
 * Says whether a person may be called so.
 *
 * @param name Any text.
 * @returns Whether it is a plain line of at most {@link NAME_CHARACTERS}.
 */
export function isOwnerName(name: string): boolean {
  return name.length <= NAME_CHARACTERS && isPlainLine(name)
}

/**
 * Keeps what people and browsers chose on its line of a text: nobody writes paragraphs into a mail of an application.
 *
 * @param text Any text.
 * @returns The same in one line of at most 80 characters, and `…` where it was longer.
 */
export function plainValue(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return line.length <= VALUE_CHARACTERS ? line : `${line.slice(0, VALUE_CHARACTERS)}…`
}

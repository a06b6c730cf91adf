/** Longest text that is normalized, in UTF-16 units: no code, password or name comes near. */
export const MAX_NORMALIZED_LENGTH = 4096

/**
 * Normalizes text whose length is bounded. `String.normalize()` orders the marks of a letter one by one: a text of nothing but marks
 * costs the square of its length, which is minutes for what fits into a form. So nothing else calls it, and a test looks for that.
 *
 * @param text Any text.
 * @param form How, as `String.normalize()` names it.
 * @returns The normalized text; undefined when the text is longer than {@link MAX_NORMALIZED_LENGTH}.
 */
export function normalizedText(text: string, form: 'NFC' | 'NFKC' | 'NFKD'): string | undefined {
  return text.length > MAX_NORMALIZED_LENGTH ? undefined : text.normalize(form)
}

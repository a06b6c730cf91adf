/**
 * @param tag Any text.
 * @returns Whether it is a BCP 47 tag.
 */
export function isTag(tag: string): boolean {
  if (tag === '*') return false
  try {
    return Intl.getCanonicalLocales(tag).length === 1
  } catch {
    return false
  }
}

/**
 * Shortens the name of a person, for a picture of them.
 *
 * @param name Their name.
 * @returns The first letters of its first and last word, in upper case.
 */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return ends
    .map((word) => /^./u.exec(word ?? '')?.[0] ?? '')
    .join('')
    .toUpperCase()
}

/**
 * Spells a camel-case name in lower-kebab form: `RoutableModule` becomes `routable-module`, `typedInt` becomes
 * `typed-int`, `HTMLPage2` becomes `html-page2`.
 *
 * @param name A class or method name.
 * @returns The name in lower-kebab form.
 */
export function decamelize(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}

/**
 * Folds the letter case of ASCII and of nothing else: a Kelvin sign is no `k` and stays as it is.
 *
 * @param text Any text.
 * @returns The text with `A` to `Z` in lower case.
 */
export function toAsciiLowerCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower === text || /^\p{ASCII}*$/u.test(text)) return lower
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

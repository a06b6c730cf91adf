/**
 * Converts a camel-case name to kebab case: `RoutableModule` becomes `routable-module`, `typedInt` becomes
 * `typed-int`, `HTMLPage2` becomes `html-page2`.
 *
 * @param name A class or method name.
 * @returns The name in kebab case.
 */
export function decamelize(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase()
}

/**
 * Lower-cases ASCII letters only. `String.prototype.toLowerCase()` would turn the Kelvin sign into a `k`.
 *
 * @param text Any string.
 * @returns The string with `A` to `Z` in lower case.
 */
export function toAsciiLowerCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower === text || /^\p{ASCII}*$/u.test(text)) return lower
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

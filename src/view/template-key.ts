/** A template as it is compiled: the same file gives another function where it sees other variables. */
export interface TemplateKey {
  readonly name: string
  /** Names of the variables that it sees besides the values of the page. */
  readonly locals: readonly string[]
}

/**
 * Makes the key of a compiled template: the name, a line feed, the names of variables.
 *
 * @param name Name of the template.
 * @param locals Names of the variables that it sees. Default: none.
 * @returns The key.
 */
export function keyOf(name: string, locals: readonly string[] = []): string {
  return `${name}\n${locals.join(',')}`
}

/**
 * @param key A key of {@link keyOf}.
 * @returns What it was made of.
 */
export function parseKey(key: string): TemplateKey {
  const separator = key.lastIndexOf('\n')
  const locals = key.slice(separator + 1)
  return { name: key.slice(0, separator), locals: locals === '' ? [] : locals.split(',') }
}

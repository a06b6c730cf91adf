/**
 * Loads a module when it is first needed. Then it is available at once.
 *
 * @param load Imports it.
 * @returns A function that gives the module; a promise of it while it loads. A failure is not kept.
 */
export function late<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let module: T | null = null
  // Requests that come meanwhile get promises of their own: workerd lets none wait for what another has begun.
  return () => module ?? load().then((loaded) => (module = loaded))
}

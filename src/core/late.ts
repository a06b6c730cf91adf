const parts = new Set<() => unknown>()

/**
 * Loads a module when it is first needed. Then it is available at once.
 *
 * @param load Imports it.
 * @returns A function that gives the module; a promise of it while it loads. A failure is not kept.
 */
export function late<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let module: T | null = null
  // Requests that come meanwhile get promises of their own: workerd lets none wait for what another has begun.
  const part = (): T | Promise<T> => module ?? load().then((loaded) => (module = loaded))
  parts.add(part)
  return part
}

/**
 * Loads all such modules, those that they name included: the files of a server that runs may be replaced by those of another
 * version. What cannot be loaded fails where it is needed.
 */
export async function loadLateParts(): Promise<void> {
  for (const part of parts) {
    try {
      await part()
    } catch {
      // Whoever needs it says so.
    }
  }
}

/**
 * Loads a module when it is first needed. Then it is available at once.
 *
 * @param load Imports it.
 * @returns A function that gives the module; a promise of it while it loads. A failure is not kept.
 */
export function late<T extends object>(load: () => Promise<T>): () => T | Promise<T> {
  let module: T | Promise<T> | null = null
  const loading = async (): Promise<T> => {
    try {
      return (module = await load())
    } catch (error) {
      module = null
      throw error
    }
  }
  return () => (module ??= loading())
}

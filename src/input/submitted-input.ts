import type { SecretNames } from './secret-names.ts'

/** A submitted input, to be asked what was submitted at a path. */
export class SubmittedInput {
  readonly #input: unknown
  readonly #secrets: SecretNames
  readonly #judged = new Map<object, boolean>()

  /**
   * @param input The input.
   * @param secrets Names of secret fields.
   */
  constructor(input: unknown, secrets: SecretNames) {
    this.#input = input
    this.#secrets = secrets
  }

  /**
   * @param path Path of a value.
   * @returns Whether it belongs to a secret field, or a secret field was submitted in it.
   */
  isSecret(path: readonly PropertyKey[]): boolean {
    if (path.some((name) => typeof name === 'string' && this.#secrets.has(name))) return true
    return this.#holdsSecret(this.#at(path).value)
  }

  /**
   * @param path Path of a value.
   * @returns Whether nothing was submitted there, or only blanks.
   */
  isMissing(path: readonly PropertyKey[]): boolean {
    const { isWhole, value } = this.#at(path)
    if (typeof value === 'string') return isWhole && value.trim() === ''
    return value === undefined || value === null
  }

  /**
   * @param path Path of a value.
   * @returns Whether a file was submitted there.
   */
  isFile(path: readonly PropertyKey[]): boolean {
    return this.#at(path).value instanceof Blob
  }

  // Each object is searched once, however many issues lead to it.
  #holdsSecret(value: unknown): boolean {
    if (typeof value !== 'object' || value === null || value instanceof Blob) return false
    let holds = this.#judged.get(value)
    if (holds === undefined) {
      const isList = Array.isArray(value)
      holds = Object.entries(value).some(
        ([name, part]) => (!isList && this.#secrets.has(name)) || this.#holdsSecret(part),
      )
      this.#judged.set(value, holds)
    }
    return holds
  }

  // The value at the path, or the last value on the way that is not an object.
  #at(path: readonly PropertyKey[]): { value: unknown; isWhole: boolean } {
    let value = this.#input
    for (const name of path) {
      if (typeof value !== 'object' || value === null) return { value, isWhole: false }
      if (!Object.hasOwn(value, name)) return { value: undefined, isWhole: false }
      value = Reflect.get(value, name)
    }
    return { value, isWhole: true }
  }
}

import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/**
 * Text that must not be printed: `inspect`, string conversion and JSON show `[redacted]`; only `reveal()`
 * gives the text itself.
 */
export class Secret {
  readonly #text: string

  /**
   * @param text The text to guard.
   */
  constructor(text: string) {
    this.#text = text
  }

  /**
   * @returns The guarded text.
   */
  reveal(): string {
    return this.#text
  }

  /**
   * @returns `[redacted]`.
   */
  toString(): string {
    return REDACTED
  }

  /**
   * @returns `[redacted]`.
   */
  toJSON(): string {
    return REDACTED
  }

  static {
    // For console.log and util.inspect; a computed member cannot stand in a declaration file.
    Object.defineProperty(Secret.prototype, inspect.custom, { value: () => REDACTED })
  }
}

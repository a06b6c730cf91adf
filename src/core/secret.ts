import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/**
 * Text that must not be printed: `inspect`, string conversion and JSON show `[redacted]`; only `reveal()`
 * gives the text itself.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import { Secret } from 'sallyport'
 *
 * const key = new Secret('s3cr3t')
 *
 * assert.equal(`${key}`, '[redacted]')
 * assert.equal(JSON.stringify({ key }), '{"key":"[redacted]"}')
 * assert.equal(key.reveal(), 's3cr3t')
 * ```
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

import { inspect } from 'node:util'

const REDACTED = '[redacted]'

/**
 * A string that must not be printed: `inspect`, string conversion and JSON show `[redacted]`. Only `reveal()` returns
 * the string.
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
   * @param text The string to protect.
   */
  constructor(text: string) {
    this.#text = text
    // For console.log and util.inspect; a computed member name cannot be written to a declaration file.
    Object.defineProperty(this, inspect.custom, { value: () => REDACTED })
  }

  /**
   * @returns The protected string.
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
}

import { sentence } from './sentence.ts'

/**
 * HTML that templates write as it is, without escaping it. Make one only of markup whose inserted values are escaped.
 */
export class SafeHtml {
  readonly #html: string

  /**
   * @param html Markup that is safe where it is written.
   * @throws {TypeError} If it is not a string.
   */
  constructor(html: string) {
    if (typeof html !== 'string')
      throw new TypeError(sentence`Cannot make SafeHtml of a value that is not a string`)
    this.#html = html
  }

  /** @returns The markup. */
  toString(): string {
    return this.#html
  }
}

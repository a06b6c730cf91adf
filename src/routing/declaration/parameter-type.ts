/** What a type is beside its two functions. @internal */
export type Judged = Pick<ParameterType, 'name' | 'pattern' | 'typescript' | 'isExact'> &
  Partial<Pick<ParameterType, 'examples'>>

/** What a segment of a URL is read as: a built-in type, or one that `parameterType()` made. */
export class ParameterType<T = unknown> {
  /** What messages and lists call it. */
  readonly name: string
  /** A regular expression that each of its texts matches as a whole. */
  readonly pattern: string
  /** What `url()` takes for it, as TypeScript writes the type: a value, or the text of one. */
  readonly typescript: string
  /**
   * Whether every text that matches the pattern is of the type. Only `sallyport check` reads it: of a type that is not exact, it
   * proves nothing by the pattern.
   */
  readonly isExact: boolean
  /** Texts of the type that `parse` takes for certain. Only `sallyport check` reads them, beside what it finds by the pattern. */
  readonly examples: readonly string[]
  /**
   * @param text A decoded segment.
   * @returns The value, or undefined when the text does not fit.
   */
  readonly parse: (text: string) => T | undefined
  /**
   * @param value Anything.
   * @returns The text that is read as the value, or undefined when there is none.
   */
  readonly format: (value: unknown) => string | undefined

  /**
   * @param judged What it is called and which texts it takes.
   * @param parse Reads any text.
   * @param format Writes anything.
   * @internal
   */
  constructor(
    judged: Judged,
    parse: (text: string) => T | undefined,
    format: (value: unknown) => string | undefined,
  ) {
    this.name = judged.name
    this.pattern = judged.pattern
    this.typescript = judged.typescript
    this.isExact = judged.isExact
    this.examples = Object.freeze([...(judged.examples ?? [])])
    this.parse = parse
    this.format = format
    Object.freeze(this)
  }

  /**
   * @param one A value of the type.
   * @param other Another one.
   * @returns Whether a URL has the same text for both.
   */
  isSame(one: unknown, other: unknown): boolean {
    if (Object.is(one, other)) return true
    const text = this.format(one)
    return text !== undefined && text === this.format(other)
  }
}

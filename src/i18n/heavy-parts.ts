/** What most of the code for languages is: negotiation of several, and formatting of messages with placeholders. */
export interface HeavyParts {
  /**
   * @param header Value of `Accept-Language`.
   * @param tags Canonical tags.
   * @param fallback The tag if none of them matches.
   * @returns The best tag.
   */
  readonly match: (header: string, tags: readonly string[], fallback: string) => string
  /**
   * @param locale A language tag.
   * @param pattern A message in ICU MessageFormat.
   * @returns What formats it.
   * @throws {Error} If it is malformed.
   */
  readonly compile: (locale: string, pattern: string) => CompiledMessage
  /**
   * @param error What formatting has thrown.
   * @returns Name of the value that the message lacks; undefined if it was something else.
   */
  readonly missingValue: (error: Error) => string | undefined
}

/** A message whose pattern has been read. */
export interface CompiledMessage {
  /**
   * @param values Values by placeholder.
   * @returns The message.
   */
  format(values: Readonly<Record<string, unknown>> | undefined): unknown
}

// The same for every application of the process: code, no state of any of them.
let attached: HeavyParts | null = null

/**
 * Attaches them. The entry `sallyport/i18n` does it; an application that has neither several languages nor messages loads none.
 *
 * @param parts The parts.
 */
export function attachHeavyParts(parts: HeavyParts): void {
  attached = parts
}

/**
 * @returns The parts.
 * @throws {TypeError} If they are not attached.
 */
export function heavyParts(): HeavyParts {
  if (attached === null) throw new TypeError('Cannot use languages: import sallyport/i18n')
  return attached
}

/**
 * @returns Whether they are attached.
 */
export function hasHeavyParts(): boolean {
  return attached !== null
}

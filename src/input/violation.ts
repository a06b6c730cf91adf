/** Fields of a {@link Violation}. */
export interface ViolationFields {
  /** The invalid field; null for the whole input. */
  readonly field: string | null
  /** Stable identifier of the rule. */
  readonly code: string
  /** Identifier of the message in the catalogue. */
  readonly messageId: string
  /** Message when the catalogue has none. */
  readonly fallback: string
  /** Domain of the catalogue. */
  readonly domain: string
}

/** One rule that the input breaks. @see Clause LOGIN-11. */
export class Violation implements ViolationFields {
  readonly field: string | null
  readonly code: string
  readonly messageId: string
  readonly fallback: string
  readonly domain: string

  /**
   * @param fields All five fields.
   */
  constructor(fields: ViolationFields) {
    this.field = fields.field
    this.code = fields.code
    this.messageId = fields.messageId
    this.fallback = fields.fallback
    this.domain = fields.domain
  }
}

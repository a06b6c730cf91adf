/** Fields of a {@link Violation}. */
export interface ViolationFields {
  /** The invalid field; null for the whole input. */
  readonly field: string | null
  /** Stable identifier of the rule. */
  readonly code: string
  /** Identifier of the message in the catalogue. Default: the code. */
  readonly messageId?: string
  /** Message when the catalogue has none. */
  readonly fallback: string
  /** Domain of the catalogue. Default: `validation`. */
  readonly domain?: string
  /** Values of the message's placeholders, such as `minimum`. Default: none. */
  readonly parameters?: ViolationParameters
}

/** Values of the placeholders of a message, such as `minimum`. */
export type ViolationParameters = Readonly<Record<string, string | number | Date>>

/** One rule that the input breaks. @see Clauses LOGIN-11, PAGE-03. */
export class Violation implements ViolationFields {
  readonly field: string | null
  readonly code: string
  readonly messageId: string
  readonly fallback: string
  readonly domain: string
  /** Values of the message's placeholders; absent when there are none. */
  declare readonly parameters?: ViolationParameters

  /**
   * @param fields `field`, `code`, `fallback`, and where the catalogue has the message.
   */
  constructor(fields: ViolationFields) {
    this.field = fields.field
    this.code = fields.code
    this.messageId = fields.messageId ?? fields.code
    this.fallback = fields.fallback
    this.domain = fields.domain ?? 'validation'
    if (fields.parameters !== undefined) this.parameters = fields.parameters
  }
}

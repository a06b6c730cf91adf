/** Limits of what is parsed. */
export interface InputLimits {
  /** Maximum number of fields in a form, a query or one object of a JSON body. Default: 1000. */
  readonly fields: number
  /** Maximum nesting of JSON. Default: 64. */
  readonly jsonDepth: number
}

/** The limits that apply unless the application sets its own. */
export const DEFAULT_INPUT_LIMITS: InputLimits = { fields: 1000, jsonDepth: 64 }

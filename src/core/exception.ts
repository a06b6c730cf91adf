/** Root of the errors that somebody handles: match on `code`, never on the text of the message. */
export class SallyportException extends Error {
  /** Stable identifier of the condition; the text of the message may change, this does not. */
  readonly code: string

  /**
   * @param code Stable identifier of the condition.
   * @param message What could not be done, for a developer; never holds a secret.
   * @param options `cause`: the error behind this one. Default: none.
   */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

/** Root of the exceptions that an application handles. Match on `code`, never on the message. */
export class SallyportException extends Error {
  /** Stable identifier of the condition. Messages may change between versions, codes do not. */
  readonly code: string

  /**
   * @param code Stable identifier of the condition.
   * @param message What could not be done, for a developer; never contains a secret.
   * @param options `cause`: the underlying error. Default: none.
   */
  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
    this.code = code
  }
}

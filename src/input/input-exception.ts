import { HttpException } from '../http/index.ts'

/** The input cannot be read: 400. Input that was read but is invalid is a `ValidationException`. */
export class InputException extends HttpException {
  declare readonly code: 'ERR_INPUT_UNREADABLE'

  /**
   * @param message What could not be read.
   * @param options `cause`. Default: none.
   */
  constructor(message: string, options?: ErrorOptions) {
    super(400, 'ERR_INPUT_UNREADABLE', message, { cause: options?.cause })
  }
}

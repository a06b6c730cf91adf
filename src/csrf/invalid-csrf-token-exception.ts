import { HttpException } from '../http/index.ts'

/** A request that changes state came without a valid token, or from another site: 403. @see Clause CSRF-03. */
export class InvalidCsrfTokenException extends HttpException {
  declare readonly code: 'ERR_CSRF_INVALID_TOKEN'

  /**
   * @param message What the client is told. Default: a sentence that says what to do.
   */
  constructor(message = 'This form is no longer valid. Load the page again and repeat') {
    super(403, 'ERR_CSRF_INVALID_TOKEN', message)
  }
}

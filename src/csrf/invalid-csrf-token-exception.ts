import { HttpException } from '../http/index.ts'

/** A state-changing request came without a valid token, or from another site: 403. @see Clause CSRF-03. */
export class InvalidCsrfTokenException extends HttpException {
  declare readonly code: 'ERR_CSRF_INVALID_TOKEN'

  /**
   * @param message Message for the client. Default: a sentence that says what to do.
   */
  constructor(message = 'This form is no longer valid. Reload the page and try again') {
    super(403, 'ERR_CSRF_INVALID_TOKEN', message)
  }
}

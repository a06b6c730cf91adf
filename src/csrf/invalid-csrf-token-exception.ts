import { HttpException } from '../http/index.ts'

/** A state-changing request came without a valid token, or from another site: 403. @see Clause CSRF-03. */
export class InvalidCsrfTokenException extends HttpException {
  declare readonly code: 'ERR_CSRF_INVALID_TOKEN'

  /**
   * @param message Message for the client. Default: a sentence that says what to do. Reloading would send the same token again;
   * going back asks for the form anew, because a response with a token is not stored, and the browser restores what was typed.
   * @param options `cause`: for a developer, what was wrong and what to do. As a string it is also shown on error pages in
   * development and published on `sallyport:refused`; it must not contain a token. Default: none.
   */
  constructor(
    message = 'This form is no longer valid. Go back, check what you entered, and send it again',
    options: ErrorOptions = {},
  ) {
    super(403, 'ERR_CSRF_INVALID_TOKEN', message, options)
  }
}

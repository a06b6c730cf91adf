import { type HttpException, ServiceUnavailableException } from '../http/index.ts'

/** An action took longer than `handlerMilliseconds`. The report names the action, the response does not. */
export class TimeOverException extends ServiceUnavailableException {
  /** Message for the client. */
  readonly told: string

  /**
   * @param cause The reason of the aborted signal; its message names the action.
   */
  constructor(cause: DOMException) {
    super(undefined, { cause })
    this.told = this.message
    this.message = cause.message
  }
}

/**
 * @param exception What is answered.
 * @returns Its message for the client.
 */
export function toldBy(exception: HttpException): string {
  return exception instanceof TimeOverException ? exception.told : exception.message
}

import { ServiceUnavailableException } from '../http/index.ts'

/** An action took longer than `handlerMilliseconds`. Who hears of the fault learns which action; the client does not. */
export class TimeOverException extends ServiceUnavailableException {
  /** What the client is told. */
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

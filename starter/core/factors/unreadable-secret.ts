import { ServiceUnavailableException } from 'sallyport/http'

/** Code of an {@link UnreadableSecretException}. */
export const ERR_FACTOR_UNREADABLE = 'ERR_STARTER_FACTOR_UNREADABLE'

// Only an operator can mend it.
const RETRY_SECONDS = 60

/**
 * The secret of a factor cannot be opened: it was sealed with a key that is not configured, or damaged. It is a 503, for which no
 * code is to blame; its cause, which is reported, tells the operator what to do.
 */
export class UnreadableSecretException extends ServiceUnavailableException {
  /** @param options `cause`. Default: none. */
  constructor(reason: string, options?: ErrorOptions) {
    super('This factor cannot be checked at the moment', {
      code: ERR_FACTOR_UNREADABLE,
      retryAfterSeconds: RETRY_SECONDS,
      cause: new Error(`Cannot open a factor: ${reason}`, options),
    })
  }
}

import type { Secret } from 'sallyport'
import { ServiceUnavailableException } from 'sallyport/http'
import { SealedColumn, SealedError } from 'sallyport-app/keys'

/** Code of an {@link UnreadableSecretException}. */
export const ERR_FACTOR_UNREADABLE = 'ERR_APP_FACTOR_UNREADABLE'

// Only an operator can mend it.
const RETRY_SECONDS = 60

/** The secret of a factor cannot be opened: a 503, for which no code is to blame. Its cause, which is reported, tells the operator what to do. */
export class UnreadableSecretException extends ServiceUnavailableException {
  constructor({ message, cause }: SealedError) {
    super('This factor cannot be checked at the moment', {
      code: ERR_FACTOR_UNREADABLE,
      retryAfterSeconds: RETRY_SECONDS,
      cause: new Error(`Cannot open a factor: ${message}`, { cause }),
    })
  }
}

/** What the key ring binds such a secret to, beside its account. */
export const FACTOR_SECRET = 'totp'

/** The sealed secrets of second factors, each bound to its account. */
export class FactorVault extends SealedColumn {
  constructor() {
    const column = { table: 'factor', column: 'secret', owner: 'account_id', purpose: FACTOR_SECRET }
    super({ ...column, things: 'factors' })
  }

  /** @throws {UnreadableSecretException} If its key is not configured, or it was sealed for another account or changed since. */
  override open(accountId: string, sealed: string): Secret {
    try {
      return super.open(accountId, sealed)
    } catch (error) {
      if (!(error instanceof SealedError)) throw error
      throw new UnreadableSecretException(error)
    }
  }
}

import { inject, type Secret } from 'sallyport'
import { ServiceUnavailableException } from 'sallyport/http'
import { KeyRing, SealedError } from 'sallyport-app/keys'

/** Code of an {@link UnreadableSecretException}. */
export const ERR_FACTOR_UNREADABLE = 'ERR_APP_FACTOR_UNREADABLE'

// Only an operator can mend it.
const RETRY_SECONDS = 60

/** What the secrets of factors are for, wherever they are sealed. */
export const FACTOR_SECRET = 'totp'

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

/** Encrypts and decrypts the secrets of second factors, each bound to its account. */
export class FactorVault {
  readonly #ring = inject(KeyRing)

  seal(accountId: string, secret: Secret): string {
    return this.#ring.seal([accountId, FACTOR_SECRET], secret)
  }

  /** @throws {UnreadableSecretException} If its key is not configured, or it was sealed for another account or changed since. */
  open(accountId: string, sealed: string): Secret {
    try {
      return this.#ring.open([accountId, FACTOR_SECRET], sealed)
    } catch (error) {
      if (!(error instanceof SealedError)) throw error
      throw new UnreadableSecretException(error)
    }
  }

  /** @returns The secret; undefined where no key opens it. */
  tryToOpen(accountId: string, sealed: string): Secret | undefined {
    return this.#ring.tryToOpen([accountId, FACTOR_SECRET], sealed)
  }
}

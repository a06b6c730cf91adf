import { SallyportException } from '../core/index.ts'

/** Why a store gave no answer: there is no connection, or the answer did not come in time. */
export type SessionStoreErrorCode = 'ERR_SESSION_STORE_UNREACHABLE' | 'ERR_SESSION_STORE_TIMEOUT'

/**
 * The server of a session store gave no answer. A write that timed out may have happened or not; what was answered
 * before did. A request that meets it ends with a 503.
 */
export class SessionStoreException extends SallyportException {
  /**
   * @param code The condition.
   * @param message What could not be done.
   * @param options The `cause`. Default: none.
   */
  constructor(code: SessionStoreErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}

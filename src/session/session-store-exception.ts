import { SallyportException } from '../core/index.ts'

/** Why a store gave no answer: there is no connection, or the answer did not come in time. */
export type SessionStoreErrorCode = 'ERR_SESSION_STORE_UNREACHABLE' | 'ERR_SESSION_STORE_TIMEOUT'

const SENTENCES: Readonly<Record<SessionStoreErrorCode, string>> = {
  ERR_SESSION_STORE_UNREACHABLE: 'cannot be reached at the moment',
  ERR_SESSION_STORE_TIMEOUT: 'gave no answer in time',
}

/** The server of a session store gave no answer. A request that meets it ends with a 503. */
export class SessionStoreException extends SallyportException {
  /**
   * @param code The condition.
   * @param server What gave no answer, for example `Redis`.
   * @param options The `cause`. Default: none.
   */
  constructor(code: SessionStoreErrorCode, server: string, options?: ErrorOptions) {
    super(code, `${server} ${SENTENCES[code]}`, options)
  }
}

import { SallyportException } from '../core/index.ts'

/**
 * Why a store gave no answer: there is no connection, it did not come in time, what is stored is not a session, or the
 * store itself broke its interface.
 */
export type SessionStoreErrorCode =
  | 'ERR_SESSION_STORE_UNREACHABLE'
  | 'ERR_SESSION_STORE_TIMEOUT'
  | 'ERR_SESSION_STORE_MALFORMED'
  | 'ERR_SESSION_STORE_ANSWER'

const SENTENCES: Readonly<Record<SessionStoreErrorCode, string>> = {
  ERR_SESSION_STORE_UNREACHABLE: 'cannot be reached at the moment',
  ERR_SESSION_STORE_TIMEOUT: 'gave no answer in time',
  ERR_SESSION_STORE_MALFORMED: 'holds something that is no session',
  ERR_SESSION_STORE_ANSWER: 'gave neither true nor false',
}

/**
 * A session store gave no answer, or none that can be used. A request that meets it ends with a 503; one that reads a
 * malformed record is anonymous.
 */
export class SessionStoreException extends SallyportException {
  declare readonly code: SessionStoreErrorCode

  /**
   * @param code The condition.
   * @param server What gave no answer, for example `Redis`.
   * @param options The `cause`. Default: none.
   */
  constructor(code: SessionStoreErrorCode, server: string, options?: ErrorOptions) {
    super(code, `${server} ${SENTENCES[code]}`, options)
  }
}

/**
 * @param server Where it was stored, for the message.
 * @param parse Reads what was stored.
 * @param stored What was stored.
 * @returns What `parse` gives.
 * @throws {SessionStoreException} If it throws. Its own error is left out, for it may quote what was stored.
 */
export function parseStored<I, O>(server: string, parse: (stored: I) => O, stored: I): O {
  try {
    return parse(stored)
  } catch {
    throw new SessionStoreException('ERR_SESSION_STORE_MALFORMED', server)
  }
}

/**
 * @param error What a store threw.
 * @returns Whether it says that what is stored is no session.
 */
export function isMalformed(error: unknown): boolean {
  return error instanceof SessionStoreException && error.code === 'ERR_SESSION_STORE_MALFORMED'
}

import { SallyportException } from '../core/index.ts'
import type { OwnedSession, SessionRecord } from './session-store.ts'

/**
 * Why a session store failed: there is no connection, the answer did not come in time, the stored value is not a session,
 * the store violated its interface, or it lacks an optional operation.
 */
export type SessionStoreErrorCode =
  | 'ERR_SESSION_STORE_UNREACHABLE'
  | 'ERR_SESSION_STORE_TIMEOUT'
  | 'ERR_SESSION_STORE_MALFORMED'
  | 'ERR_SESSION_STORE_ANSWER'
  | 'ERR_SESSION_STORE_UNSUPPORTED'

const SENTENCES: Readonly<Record<SessionStoreErrorCode, string>> = {
  ERR_SESSION_STORE_UNREACHABLE: 'cannot be reached at the moment',
  ERR_SESSION_STORE_TIMEOUT: 'did not answer in time',
  ERR_SESSION_STORE_MALFORMED: 'holds a value that is not a session',
  ERR_SESSION_STORE_ANSWER: 'returned neither true nor false',
  ERR_SESSION_STORE_UNSUPPORTED:
    'cannot list the sessions of an account: implement its optional method sessionsOf(owner)',
}

/**
 * A session store failed, or returned an unusable value. The request ends with a 503; a request that reads a malformed
 * record is anonymous.
 */
export class SessionStoreException extends SallyportException {
  declare readonly code: SessionStoreErrorCode

  /**
   * @param code The condition.
   * @param server The failed server, for example `Redis`.
   * @param options The `cause`. Default: none.
   */
  constructor(code: SessionStoreErrorCode, server: string, options?: ErrorOptions) {
    super(code, `${server} ${SENTENCES[code]}`, options)
  }
}

/**
 * @param server Name of the store, for the message.
 * @param parse Parses the stored value.
 * @param stored The stored value.
 * @returns The result of `parse`.
 * @throws {SessionStoreException} If `parse` throws. Its error is omitted, because it may quote the stored value.
 */
export function parseStored<I, O>(server: string, parse: (stored: I) => O, stored: I): O {
  try {
    return parse(stored)
  } catch {
    throw new SessionStoreException('ERR_SESSION_STORE_MALFORMED', server)
  }
}

/**
 * @param server Name of the store, for the message.
 * @param parse Parses a row.
 * @param row A row with the session's identifier.
 * @returns The session, without a record if it is malformed.
 */
export function ownedSession<R extends { readonly id: string }>(
  server: string,
  parse: (row: R) => SessionRecord,
  row: R,
): OwnedSession {
  try {
    return { id: row.id, record: parseStored(server, parse, row) }
  } catch (error) {
    if (!isMalformed(error)) throw error
    return { id: row.id, record: null }
  }
}

/**
 * @param error What a store threw.
 * @returns Whether it reports a stored value that is not a session.
 */
export function isMalformed(error: unknown): boolean {
  return error instanceof SessionStoreException && error.code === 'ERR_SESSION_STORE_MALFORMED'
}

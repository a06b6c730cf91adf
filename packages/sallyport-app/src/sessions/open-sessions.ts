import { getLogger } from '@logtape/logtape'
import { inject } from 'sallyport'
import { type AccountSession, AccountSessions } from 'sallyport/auth'
import type { Session } from 'sallyport/session'
import type { Client } from '../clients/index.ts'
import type { Connection } from '../database/index.ts'
import { type EndedSessionTables, hasNotEnded } from './ended-sessions.ts'
import { type KeptCredentials, keptCredentials } from './session-credentials.ts'

const log = getLogger(['app', 'sessions'])

/** Whose sessions they are, and where the request came from. */
export interface SessionOwner extends Client {
  /** Of the session of the request, never from what the client sent. */
  readonly accountId: string
}

/** What a change of credentials starts from, as long as nothing ends the session that makes it. */
export interface StandingCredentials extends KeptCredentials {
  /** Asks, in the transaction of the change, whether no other session has ended this one. */
  readonly stands: <Tables extends EndedSessionTables>(database: Connection<Tables>) => Promise<boolean>
}

/** A session as its owner sees it. Nobody can sign in with its handle. */
export interface OpenSession extends Omit<AccountSession, 'isCurrent'> {
  /** Whether it is the one of the request. */
  readonly isCurrent: boolean
}

/** The stored sessions of an account. */
export class OpenSessions {
  readonly #sessions = inject(AccountSessions)

  /**
   * Lists the sessions of an account, for its owner.
   *
   * @param session Session of the request.
   * @param accountId Whose sessions they are.
   * @returns The live ones: that of the request first, then the newest.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async list(session: Session, accountId: string): Promise<readonly OpenSession[]> {
    const listed = await this.#sessions.list(accountId)
    const own = await currentOf(listed, session)
    // When a session was used is known to within a minute, when it began for certain.
    const newest = listed.toSorted((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
    const open = newest.map((each) => ({ ...each, isCurrent: each.handle === own }))
    return open.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
  }

  /**
   * Reads what a session has kept.
   *
   * @param session Session of the request.
   * @param accountId Whose session it is.
   * @returns What a change of credentials in it starts from.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async held(session: Session, accountId: string): Promise<StandingCredentials> {
    return heldBy(session, await this.#sessions.list(accountId))
  }

  /**
   * Removes the stored sessions of an account whose credential version was raised. Where the store cannot be reached, they are void, and
   * end there by themselves.
   *
   * @param accountId The account.
   * @param own Session of the request, which it signs out itself. Default: it has none of this account.
   * @returns How many were removed.
   */
  async remove(accountId: string, own?: Session): Promise<number> {
    try {
      const isOwn = own !== undefined && (await currentOf(await this.#sessions.list(accountId), own)) !== null
      return await (isOwn ? this.#sessions.endOthers(own, accountId) : this.#sessions.endAll(accountId))
    } catch (error) {
      log.warn('The stored sessions of {accountId} could not be removed: they are void', { accountId, error })
      return 0
    }
  }
}

/**
 * Reads what a session has kept, where the sessions of its account are listed already.
 *
 * @param session Session of the request.
 * @param listed The sessions of its account.
 * @returns What a change of credentials in it starts from.
 */
export async function heldBy(
  session: Session,
  listed: readonly AccountSession[],
): Promise<StandingCredentials> {
  const handle = await currentOf(listed, session)
  return { ...(await keptCredentials(session)), stands: (database) => hasNotEnded(database, handle) }
}

/**
 * Looks for a session among those of its account.
 *
 * @param listed The sessions of the account.
 * @param session Session of the request.
 * @returns Handle of the one that it is, whatever its identifier is now; null when it has been ended.
 */
export async function currentOf(listed: readonly AccountSession[], session: Session): Promise<string | null> {
  for (const each of listed) if (await each.isCurrent(session)) return each.handle
  return null
}

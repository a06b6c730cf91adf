import { getLogger } from '@logtape/logtape'
import type { Kysely } from 'kysely'
import type { AccountSession, AccountSessions } from 'sallyport/auth'
import type { Session } from 'sallyport/session'
import type { Schema } from '../../database/schema.ts'
import { raiseCredentialVersion } from '../accounts/credential-version.ts'
import { type AuditEntry, AuditEvent, type AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import type { Notices } from '../mail/notices.ts'
import { readSessionDetails, type SessionDetails, TRUST_DETAIL } from './session-details.ts'

const log = getLogger(['starter', 'sessions'])

/** A session as its owner sees it. */
export interface OpenSession extends SessionDetails {
  /** Names it for {@link OpenSessions.end}. Nobody can sign in with it. */
  readonly handle: string
  /** When it began, as a Unix timestamp in seconds. */
  readonly startedAt: number
  /** When it was last used, to within a minute. */
  readonly lastUsedAt: number
  /** Whether it is the one of the request. */
  readonly isCurrent: boolean
}

/** Who ends sessions: the account, and where the request came from. */
export interface SessionOwner extends Client {
  /** Account reference; of the session of the request, never from what the client sent. */
  readonly accountId: string
}

/** The sessions of an account, for its owner. Each end is recorded, and told by mail. */
export class OpenSessions {
  readonly #database: Kysely<Schema>
  readonly #sessions: AccountSessions
  readonly #audit: AuditTrail
  readonly #notices: Notices

  /**
   * @param services `database` of the accounts, `sessions` of the framework, the `audit` trail and the `notices`.
   */
  constructor(services: {
    readonly database: Kysely<Schema>
    readonly sessions: AccountSessions
    readonly audit: AuditTrail
    readonly notices: Notices
  }) {
    this.#database = services.database
    this.#sessions = services.sessions
    this.#audit = services.audit
    this.#notices = services.notices
  }

  /**
   * @param session Session of the request.
   * @param accountId Account reference.
   * @returns The live sessions of the account: that of the request first, then the newest.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async list(session: Session, accountId: string): Promise<readonly OpenSession[]> {
    const found = await this.#sessions.list(accountId)
    // When a session was used is known to within a minute, when it began for certain.
    const newest = found.toSorted((one, other) => other.startedAt.getTime() - one.startedAt.getTime())
    const open = await Promise.all(newest.map((each) => toOpenSession(each, session)))
    return open.toSorted((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
  }

  /**
   * Asks the store whether a session still stands, as it may have been ended since the request began.
   *
   * @param session Session of the request.
   * @param accountId Account reference.
   * @returns Whether it is one of the live sessions of the account, under whatever identifier.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async stands(session: Session, accountId: string): Promise<boolean> {
    for (const each of await this.#sessions.list(accountId)) if (await each.isCurrent(session)) return true
    return false
  }

  /**
   * Ends one session. When it has returned, no request of that session is signed in any more.
   *
   * @param owner Who asks.
   * @param handle Handle of the session.
   * @returns Whether the account had such a session.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async end(owner: SessionOwner, handle: string): Promise<boolean> {
    if (!(await this.#sessions.end(owner.accountId, handle))) return false
    await this.#report(AuditEvent.SessionEnded, owner)
    return true
  }

  /**
   * Ends all sessions but that of the request, which also stays if it is rotated at the same time.
   *
   * @param session Session of the request.
   * @param owner Who asks.
   * @returns How many were ended.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async endOthers(session: Session, owner: SessionOwner): Promise<number> {
    const count = await this.#sessions.endOthers(session, owner.accountId)
    if (count > 0) await this.#report(AuditEvent.OtherSessionsEnded, owner)
    return count
  }

  /**
   * Ends all sessions and every login that is under way: in one transaction with the record, by the version of the credentials.
   * The stored sessions are removed afterwards. If the store fails, they are void nevertheless.
   *
   * @param owner Who asks.
   */
  async endAll(owner: SessionOwner): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await raiseCredentialVersion(transaction, owner.accountId)
      await this.#audit.record(entryOf(AuditEvent.SessionsEnded, owner), transaction)
    })
    await this.remove(owner.accountId)
    await this.#notices.tell(owner.accountId, 'sessions-ended')
  }

  /**
   * Removes the stored sessions of an account whose credential version was raised.
   *
   * @param accountId Account reference.
   */
  async remove(accountId: string): Promise<void> {
    try {
      await this.#sessions.endAll(accountId)
    } catch (error) {
      log.warn('The stored sessions of {accountId} could not be removed: they are void', { accountId, error })
    }
  }

  /**
   * Removes the stored sessions that a trusted browser began, which are void: its token was used a second time.
   *
   * @param accountId Account reference.
   * @param trustId Identifier of the trusted browser.
   */
  async removeTrusted(accountId: string, trustId: string): Promise<void> {
    try {
      for (const { handle, details } of await this.#sessions.list(accountId))
        if (details[TRUST_DETAIL] === trustId) await this.#sessions.end(accountId, handle)
    } catch (error) {
      log.warn('The stored sessions of {accountId} could not be removed: they are void', { accountId, error })
    }
  }

  // Afterwards: what was ended stays ended even if that cannot be recorded.
  async #report(kind: AuditEvent, owner: SessionOwner): Promise<void> {
    await this.#audit.record(entryOf(kind, owner))
    await this.#notices.tell(owner.accountId, 'sessions-ended')
  }
}

async function toOpenSession(each: AccountSession, session: Session): Promise<OpenSession> {
  const { handle, startedAt, lastUsedAt, details } = each
  return {
    ...readSessionDetails(details),
    handle,
    startedAt: toSeconds(startedAt),
    lastUsedAt: toSeconds(lastUsedAt),
    isCurrent: await each.isCurrent(session),
  }
}

function toSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

function entryOf(kind: AuditEvent, { accountId, clientAddress, device }: SessionOwner): AuditEntry {
  return { kind, accountId, clientAddress, device }
}

import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { AccountSessions } from 'sallyport/auth'
import type { Session } from 'sallyport/session'
import { currentOf, heldBy, noteEnded, OpenSessions, type SessionOwner } from 'sallyport-app/sessions'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { CredentialVersions, type HeldCredentials } from '../../core/accounts/credential-version.ts'
import { type AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import { Notices } from '../../core/mail/notices.ts'

/** The ends of sessions that owners ask for. Each is recorded, and told by mail. */
export class SessionEnds {
  readonly #database = inject(Database)
  readonly #sessions = inject(AccountSessions)
  readonly #open = inject(OpenSessions)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)

  /**
   * Ends one session. When it has returned, no request of that session is signed in any more.
   *
   * @returns Whether the account had such a session; undefined when that of the request has ended itself.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async end(session: Session, owner: SessionOwner, handle: string): Promise<boolean | undefined> {
    const listed = await this.#sessions.list(owner.accountId)
    if (!listed.some((each) => each.handle === handle)) return false
    const held = await heldBy(session, listed)
    return this.#database.transaction().execute(async (transaction) => {
      if (!(await this.#mayEnd(transaction, owner.accountId, { held, handles: [handle] }))) return undefined
      if (!(await this.#sessions.end(owner.accountId, handle))) return false
      await this.#report(transaction, 'session-ended', owner)
      return true
    })
  }

  /**
   * Ends all sessions but that of the request, which also stays if it is rotated at the same time.
   *
   * @returns Whether the others have ended; false when that of the request has ended itself.
   * @throws {ServiceUnavailableException} If the session store fails.
   */
  async endOthers(session: Session, owner: SessionOwner): Promise<boolean> {
    const listed = await this.#sessions.list(owner.accountId)
    const own = await currentOf(listed, session)
    const others = listed.map(({ handle }) => handle).filter((handle) => handle !== own)
    const held = await heldBy(session, listed)
    return this.#database.transaction().execute(async (transaction) => {
      if (!(await this.#mayEnd(transaction, owner.accountId, { held, handles: others }))) return false
      const count = await this.#sessions.endOthers(session, owner.accountId)
      if (count > 0) await this.#report(transaction, 'other-sessions-ended', owner)
      return true
    })
  }

  /**
   * Ends all sessions and every login that is under way: in one transaction with the record, by the version of the credentials.
   * The stored sessions are removed afterwards. If the store fails, they are void nevertheless.
   *
   * @param session Session of the request. It is void, and the request signs it out itself: a browser that misses the response can then be
   *   told so.
   */
  async endAll(session: Session, owner: SessionOwner): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      await this.#versions.raise(transaction, owner.accountId)
      await this.#report(transaction, 'sessions-ended', owner)
    })
    await this.#open.remove(owner.accountId, session)
  }

  // Of two sessions that end each other, or change the credentials, at the same moment, the first one goes on: the write lock orders them,
  // and is held while the store ends its sessions. What the store has ended stays ended even if that cannot be recorded.
  async #mayEnd(
    transaction: Transaction<Schema>,
    accountId: string,
    { held, handles }: { readonly held: HeldCredentials; readonly handles: readonly string[] },
  ): Promise<boolean> {
    if (!(await this.#versions.confirm(transaction, accountId, held))) return false
    await noteEnded(transaction, accountId, { handles, now: this.#clock.timestamp() })
    return true
  }

  async #report(transaction: Transaction<Schema>, kind: AuditEvent, owner: SessionOwner): Promise<void> {
    const { accountId, clientAddress, device } = owner
    await this.#audit.record({ kind, accountId, clientAddress, device }, transaction)
    await this.#notices.tell({ kind: 'sessions-ended', accountId }, transaction)
  }
}

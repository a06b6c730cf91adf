import { Clock, inject } from 'sallyport'
import type { Session } from 'sallyport/session'
import type { Client } from 'sallyport-app/clients'
import { linkDigest } from 'sallyport-app/mail'
import { OpenSessions } from 'sallyport-app/sessions'
import { Database } from '../../core/database/database.ts'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import { Notices } from '../../core/mail/notices.ts'

/**
 * What the link "this was not me" of a mail does: it ends every session and every pending login of the account. It signs nobody
 * in, and changes neither password nor factors: who only reads the mails of somebody gets no further by it.
 */
export class Objections {
  readonly #database = inject(Database)
  readonly #open = inject(OpenSessions)
  readonly #audit = inject(AuditTrail)
  readonly #notices = inject(Notices)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)

  /** @returns Whether it can still be used. Nothing is used up by asking. */
  async isOpen(token: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('objection')
      .select('account_id')
      .where('digest', '=', linkDigest('objection', token))
      .where('expires_at', '>', this.#clock.timestamp())
      .executeTakeFirst()
    return row !== undefined
  }

  /**
   * Uses a link up, ends the sessions of its account and records both, in one transaction. Of several uses, one succeeds.
   *
   * @returns The account; undefined when the link is outdated.
   */
  async object(token: string, client: Client, own: Session): Promise<string | undefined> {
    const accountId = await this.#database.transaction().execute(async (transaction) => {
      const used = await transaction
        .deleteFrom('objection')
        .where('digest', '=', linkDigest('objection', token))
        .where('expires_at', '>', this.#clock.timestamp())
        .returning('account_id')
        .executeTakeFirst()
      if (used === undefined) return undefined
      await this.#versions.raise(transaction, used.account_id)
      const entry = { kind: AuditEvent.Objected, accountId: used.account_id, ...client }
      await this.#audit.record(entry, transaction)
      await this.#notices.tell({ kind: 'sessions-ended', accountId: used.account_id }, transaction)
      return used.account_id
    })
    if (accountId !== undefined) await this.#open.remove(accountId, own)
    return accountId
  }
}

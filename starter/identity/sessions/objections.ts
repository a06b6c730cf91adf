import type { Kysely } from 'kysely'
import type { Clock } from 'sallyport'
import type { Schema } from '../../database/schema.ts'
import { raiseCredentialVersion } from '../accounts/credential-version.ts'
import { AuditEvent, type AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import { linkDigest } from '../mail/link-tokens.ts'
import type { Notices } from '../mail/notices.ts'
import type { OpenSessions } from './open-sessions.ts'

/**
 * What the link "this was not me" of a mail does: it ends every session and every pending login of the account. It signs nobody
 * in, and changes neither password nor factors: who only reads the mails of somebody gets no further by it.
 */
export class Objections {
  readonly #database: Kysely<Schema>
  readonly #open: OpenSessions
  readonly #audit: AuditTrail
  readonly #notices: Notices
  readonly #clock: Clock

  /**
   * @param services `database` of the accounts, the `open` sessions, the `audit` trail, the `notices` and the `clock`.
   */
  constructor(services: {
    readonly database: Kysely<Schema>
    readonly open: OpenSessions
    readonly audit: AuditTrail
    readonly notices: Notices
    readonly clock: Clock
  }) {
    this.#database = services.database
    this.#open = services.open
    this.#audit = services.audit
    this.#notices = services.notices
    this.#clock = services.clock
  }

  /**
   * @param token Token of a link.
   * @returns Whether it can still be used. Nothing is used up by asking.
   */
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
   * @param token Token of the link.
   * @param client Where it is used.
   * @returns Whether the link could be used.
   */
  async object(token: string, client: Client): Promise<boolean> {
    const accountId = await this.#database.transaction().execute(async (transaction) => {
      const used = await transaction
        .deleteFrom('objection')
        .where('digest', '=', linkDigest('objection', token))
        .where('expires_at', '>', this.#clock.timestamp())
        .returning('account_id')
        .executeTakeFirst()
      if (used === undefined) return undefined
      await raiseCredentialVersion(transaction, used.account_id)
      const entry = { kind: AuditEvent.Objected, accountId: used.account_id, ...client }
      await this.#audit.record(entry, transaction)
      return used.account_id
    })
    if (accountId === undefined) return false
    await this.#open.remove(accountId)
    await this.#notices.tell(accountId, 'sessions-ended')
    return true
  }
}

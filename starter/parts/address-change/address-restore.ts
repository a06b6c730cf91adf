import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { MailedLinks } from 'sallyport-app/mail'
import { CredentialVersions } from '../../core/accounts/credential-version.ts'
import { AuditEvent, AuditTrail } from '../../core/audit/audit-trail.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { Mails } from '../../core/mail/mails.ts'
import { Notices } from '../../core/mail/notices.ts'
import type { AddressRestoreTable } from './migration.ts'

/** How many days the link "this was not me" in the mail to the former address brings it back. */
export const ADDRESS_RESTORE_DAYS = 7

/** The links that bring an address back. */
export const RESTORES: MailedLinks<AddressRestoreTable> = new MailedLinks(
  'address_restore',
  'address-restore',
  ADDRESS_RESTORE_DAYS * 24 * 60 * 60,
)

/** What a link did. Every session has ended in either case. */
export interface RestoredAddress {
  readonly accountId: string
  /** Whether the account has its former address again; false when another account has taken it meanwhile. */
  readonly isRestored: boolean
}

/**
 * The link "this was not me" in the mail to the address that an account had before. It brings the address back, so that its owner
 * can choose a new password by mail, and ends every session. It signs nobody in, and changes neither password nor factors.
 */
export class AddressRestore {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)
  readonly #mails = inject(Mails)
  readonly #notices = inject(Notices)

  /** @returns The address that it brings back; undefined when it is outdated. Nothing is used up by asking. */
  async restorable(token: string): Promise<string | undefined> {
    const row = await this.#database
      .selectFrom('address_restore')
      .select('email')
      .where('digest', '=', RESTORES.digest(token))
      .where('expires_at', '>', this.#clock.timestamp())
      .executeTakeFirst()
    return row?.email
  }

  /**
   * Uses a link up, in one transaction with the end of every session and the record. The links of this change and of all later ones
   * end: whoever changed the address may hold them. Those of earlier changes stay.
   *
   * @returns What happened; undefined when the link is outdated.
   */
  restore(token: string, client: Client): Promise<RestoredAddress | undefined> {
    return this.#database.transaction().execute(async (transaction) => {
      const link = await transaction
        .deleteFrom('address_restore')
        .where('digest', '=', RESTORES.digest(token))
        .where('expires_at', '>', this.#clock.timestamp())
        .returningAll()
        .executeTakeFirst()
      return link && this.#bringBack(transaction, link, client)
    })
  }

  async #bringBack(
    transaction: Transaction<Schema>,
    link: AddressRestoreTable,
    client: Client,
  ): Promise<RestoredAddress> {
    const { account_id: accountId, credential_version: version, email, email_key } = link
    const dropped = await transaction
      .selectFrom('account')
      .select(['email', 'language'])
      .where('id', '=', accountId)
      .executeTakeFirstOrThrow()
    const other = await transaction
      .selectFrom('account')
      .select('id')
      .where('email_key', '=', email_key)
      .where('id', '<>', accountId)
      .executeTakeFirst()
    const isRestored = other === undefined
    const now = this.#clock.timestamp()
    // A deletion was asked for by whoever changed the address, or by an owner who is here to say otherwise.
    const back = isRestored ? { email, email_key } : {}
    const changes = { ...back, leaves_at: null }
    await transaction.updateTable('account').set(changes).where('id', '=', accountId).execute()
    await this.#versions.raise(transaction, accountId)
    await this.#versions.endMailed(transaction, accountId, now)
    await transaction
      .deleteFrom('address_restore')
      .where('account_id', '=', accountId)
      .where('credential_version', '>=', version)
      .execute()
    const kind = isRestored ? 'address-restored' : AuditEvent.Objected
    await this.#audit.record({ kind, accountId, ...client }, transaction)
    if (isRestored) await this.#mails.send({ kind: 'address-dropped', to: dropped }, transaction)
    const notice = isRestored ? 'address-restored' : 'sessions-ended'
    await this.#notices.tell({ kind: notice, accountId }, transaction)
    return { accountId, isRestored }
  }
}

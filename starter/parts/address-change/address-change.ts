import type { Kysely, Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { emailKey } from 'sallyport-app/text'
import { MailedLinks } from 'sallyport-app/mail'
import { CredentialVersions, type HeldCredentials } from '../../core/accounts/credential-version.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { Mails } from '../../core/mail/mails.ts'
import { Notices } from '../../core/mail/notices.ts'
import { ADDRESS_RESTORE_DAYS, RESTORES } from './address-restore.ts'
import type { AddressChangeTable } from './migration.ts'

/** How long the link in the mail to the new address can be used. */
export const ADDRESS_CHANGE_SECONDS: number = 60 * 60

/** The links in mails to new addresses. */
export const CHANGES: MailedLinks<AddressChangeTable> = new MailedLinks(
  'address_change',
  'address-change',
  ADDRESS_CHANGE_SECONDS,
)

/** Who uses a link, and the mark of the session if that is one of the account. */
export interface LinkUser extends Client, Pick<HeldCredentials, 'mark'> {}

/** What a link leads to. `taken`: another account has the address by now. */
export type ConfirmedAddress = ChangedAddress | { readonly kind: 'taken' }

/** An address that was changed. */
export interface ChangedAddress {
  readonly kind: 'changed'
  readonly accountId: string
  /** The version of the credentials after the change. */
  readonly credentialVersion: number
  /** Token of the link that brings the address before back. */
  readonly restore: string
}

/**
 * The change of an address by the owner of the account. A mail with a link goes to the new address, and nothing changes before the
 * link is used: so nobody takes an account out of reach by a typing mistake, or names an address that is not theirs.
 */
export class AddressChange {
  readonly #database = inject(Database)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)
  readonly #mails = inject(Mails)
  readonly #notices = inject(Notices)

  /** @returns The address that the link confirms; undefined when it is outdated. */
  async confirmable(token: string): Promise<string | undefined> {
    const link = await CHANGES.find(this.#database, token, this.#clock.timestamp())
    return link && (await ownerOf(this.#database, link)) && link.email
  }

  /**
   * Uses a link up. In one transaction: the address, the end of every session and of everything that was begun by mails to the
   * former address, the link that brings it back, the record, and the mails to both addresses. Of two accounts, one gets the address.
   *
   * @returns What was changed; undefined when the link is outdated.
   */
  confirm(token: string, user: LinkUser): Promise<ConfirmedAddress | undefined> {
    return this.#database.transaction().execute(async (transaction) => {
      const link = await CHANGES.take(transaction, token, this.#clock.timestamp())
      return link && this.#change(transaction, link, user)
    })
  }

  async #change(
    transaction: Transaction<Schema>,
    link: AddressChangeTable,
    { mark, clientAddress, device }: LinkUser,
  ): Promise<ConfirmedAddress | undefined> {
    const { account_id: accountId, email, email_key } = link
    const former = await ownerOf(transaction, link)
    if (former === undefined) return undefined
    const holder = await transaction
      .selectFrom('account')
      .select('id')
      .where('email_key', '=', email_key)
      .executeTakeFirst()
    if (holder !== undefined) return { kind: 'taken' }
    // Compared once more: whatever else changed the credentials has ended this link.
    const held = { credentialVersion: link.credential_version, mark }
    const credentialVersion = await this.#versions.advance(transaction, accountId, held)
    if (credentialVersion === undefined) return undefined
    await transaction.updateTable('account').set({ email, email_key }).where('id', '=', accountId).execute()
    const now = this.#clock.timestamp()
    // Somebody who was about to sign up with it has an account now.
    await transaction.deleteFrom('confirmation').where('email_key', '=', email_key).execute()
    const back = { account_id: accountId, credential_version: credentialVersion }
    const restore = await RESTORES.make(
      transaction,
      { ...back, email: former.email, email_key: emailKey(former.email) },
      now,
    )
    const entry = { kind: 'address-changed' as const, accountId, clientAddress, device }
    await this.#audit.record(entry, transaction)
    const values = { url: this.#mails.linkToPage(`/address/restore/${restore}`), days: ADDRESS_RESTORE_DAYS }
    await this.#mails.send({ kind: 'address-former', to: former, values }, transaction)
    await this.#notices.tell({ kind: 'address-changed', accountId }, transaction)
    return { kind: 'changed', accountId, credentialVersion, restore }
  }
}

// None where something else has changed the credentials since the request.
function ownerOf(
  database: Kysely<Schema>,
  { account_id: id, credential_version: version }: AddressChangeTable,
): Promise<{ readonly email: string; readonly language: string } | undefined> {
  return database
    .selectFrom('account')
    .select(['email', 'language'])
    .where('id', '=', id)
    .where('state', '=', 'active')
    .where('credential_version', '=', version)
    .executeTakeFirst()
}

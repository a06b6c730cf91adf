import type { Kysely, Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { Attempts, Limit } from 'sallyport-app/limits'
import { emailKey } from 'sallyport-app/text'
import { MailedLinks } from 'sallyport-app/mail'
import type { Account } from '../../core/accounts/account.ts'
import { CredentialVersions, type HeldCredentials } from '../../core/accounts/credential-version.ts'
import { Users } from '../../core/accounts/users.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { Database } from '../../core/database/database.ts'
import type { Schema } from '../../core/database/schema.ts'
import { SIGN_UP_ADDRESS_LIMIT, SIGN_UP_CLIENT_LIMIT } from '../../core/limits/limits.ts'
import { Mails } from '../../core/mail/mails.ts'
import { Notices } from '../../core/mail/notices.ts'
import { ADDRESS_RESTORE_DAYS, RESTORES } from './address-restore.ts'
import type { AddressChangeTable } from './migration.ts'

/** How long the link in the mail to the new address can be used. */
export const ADDRESS_CHANGE_SECONDS: number = 60 * 60

/** Links to change the address of one account: each sends a mail to somebody. */
export const ADDRESS_CHANGE_LIMIT: Limit = new Limit('address-change', 5, { windowSeconds: 60 * 60 })

const CHANGES: MailedLinks<AddressChangeTable> = new MailedLinks(
  'address_change',
  'address-change',
  ADDRESS_CHANGE_SECONDS,
)

/** The new address as it was typed, by an owner who has proven password and factor. */
export interface NewAddress extends Client, Pick<HeldCredentials, 'credentialVersion'> {
  readonly email: string
  /** Language of the mail to it. */
  readonly language: string
}

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
  readonly #users = inject(Users)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)
  readonly #mails = inject(Mails)
  readonly #notices = inject(Notices)

  /**
   * Mails a link. An address that somebody has costs the same work, and gets a mail that says so. An earlier link of the account works no
   * more.
   *
   * @returns Whether one was asked for: false for the address that the account has.
   */
  async request(account: Account, address: NewAddress): Promise<boolean> {
    if (emailKey(account.email) === emailKey(address.email)) return false
    const limited = [
      ADDRESS_CHANGE_LIMIT.of(account.id),
      // The same mailbox as at sign-up, so the same limit.
      SIGN_UP_ADDRESS_LIMIT.ofAddress(address.email),
      ...SIGN_UP_CLIENT_LIMIT.ofClient(address.clientAddress),
    ]
    return this.#attempts.spend(limited, () => this.#prepare(account.id, address))
  }

  async #prepare(
    accountId: string,
    { email, language, credentialVersion, clientAddress, device }: NewAddress,
  ): Promise<boolean> {
    const link = {
      account_id: accountId,
      credential_version: credentialVersion,
      email,
      email_key: emailKey(email),
    }
    const holder = await this.#users.findByEmail(email)
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('address_change').where('account_id', '=', accountId).execute()
      const entry = { kind: 'address-change-requested' as const, accountId, clientAddress, device }
      await this.#audit.record(entry, transaction)
      const token = await CHANGES.make(transaction, link, this.#clock.timestamp())
      const known = holder?.isActive === false ? 'address-known-disabled' : 'address-known'
      const mail = {
        kind: holder === null ? ('address-confirm' as const) : known,
        to: { email, language: holder?.language ?? language },
        values: holder === null ? { url: this.#mails.linkToPage(`/address/confirm/${token}`) } : {},
        seconds: ADDRESS_CHANGE_SECONDS,
      } as const
      await this.#mails.send(mail, transaction)
    })
    return true
  }

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

import type { Kysely } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../../core/database/database.ts'
import { endExpired, isLive } from '../../core/database/lifetime.ts'
import type { Schema } from '../../core/database/schema.ts'
import type { AddressChangeTable } from './tables.ts'
import { type Language, languageOf } from '../../core/messages/language.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import type { Client } from '../../core/clients/client.ts'
import { Attempts } from '../../core/limits/attempts.ts'
import { SIGN_UP_ADDRESS_LIMIT, SIGN_UP_CLIENT_LIMIT } from '../../core/limits/limits.ts'
import { ADDRESS_CHANGE_LIMIT } from './limit.ts'
import { createLinkToken, linkDigest } from '../../core/mail/link-tokens.ts'
import type { Account } from '../../core/accounts/account.ts'
import { createAddressRestore } from './address-restore.ts'
import { CredentialVersions, type HeldCredentials } from '../../core/accounts/credential-version.ts'
import { keepFormerName } from '../../core/accounts/former-names.ts'
import { PendingProofs } from '../../core/accounts/pending-proofs.ts'
import { emailKey } from '../../core/text/email-address.ts'

/** How long the link in the mail to the new address can be used. */
export const ADDRESS_CHANGE_SECONDS: number = 60 * 60

/** The new address, typed by an owner who has proven password and factor. */
export interface NewAddress extends Client {
  /** Address as it was typed. */
  readonly email: string
  /** Version of the credentials that the session was confirmed with. */
  readonly credentialVersion: number
}

/**
 * What a request leads to. The page that answers `new`, `known` and `known-disabled` is the same; the mail is not. `same`: it is the
 * address of the account already.
 */
export type AddressRequest =
  | { readonly kind: 'new'; readonly token: string }
  | { readonly kind: 'known' | 'known-disabled'; readonly language: Language }
  | { readonly kind: 'same' }

/** What a link leads to. `taken`: another account has the address by now. */
export type ConfirmedAddress = ChangedAddress | { readonly kind: 'taken' }

/** Who uses a link. */
export interface LinkUser extends Client, Pick<HeldCredentials, 'mark'> {}

/** An address that was changed. */
export interface ChangedAddress {
  readonly kind: 'changed'
  /** Account reference. */
  readonly accountId: string
  /** The version of the credentials after the change. */
  readonly credentialVersion: number
  /** Who is told at the address before, in which language. */
  readonly former: { readonly email: string; readonly language: string }
  /** Token of the link that brings the address before back. */
  readonly restore: string
}

/**
 * The change of an address by the owner of the account. A mail with a link goes to the new address, and nothing changes before the
 * link is used: so nobody takes an account out of reach by a typing mistake, or names an address that is not theirs.
 */
export class AddressChange {
  readonly #database = inject(Database)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)
  readonly #pending = inject(PendingProofs)
  readonly #versions = inject(CredentialVersions)

  /**
   * Prepares a link. An address that somebody has costs the same work: it gets a token too, which is given to nobody. An earlier
   * link of the account works no more.
   *
   * @returns Which mail to send.
   * @throws {TooManyRequestsException} If too many mails were asked for: by this account, by this client or to this address.
   */
  async request(account: Account, address: NewAddress): Promise<AddressRequest> {
    if (emailKey(account.email) === emailKey(address.email)) return { kind: 'same' }
    const limited = [
      ADDRESS_CHANGE_LIMIT.of(account.id),
      // The same mailbox as at sign-up, so the same limit.
      SIGN_UP_ADDRESS_LIMIT.ofAddress(address.email),
      ...SIGN_UP_CLIENT_LIMIT.ofClient(address.clientAddress),
    ]
    return this.#attempts.spend(limited, () => this.#prepare(account.id, address))
  }

  /** @returns The address that the link confirms; undefined when it is outdated. */
  async confirmable(token: string): Promise<string | undefined> {
    await this.#endExpired(token)
    const row = await this.#database
      .selectFrom('address_change')
      .innerJoin('account', (join) =>
        join
          .onRef('account.id', '=', 'address_change.account_id')
          .onRef('account.credential_version', '=', 'address_change.credential_version'),
      )
      .select('address_change.email')
      .where('digest', '=', linkDigest('address-change', token))
      .where(isLive(this.#clock.timestamp(), ADDRESS_CHANGE_SECONDS))
      .where('account.state', '=', 'active')
      .executeTakeFirst()
    return row?.email
  }

  /**
   * Uses a link up. In one transaction: the address, the end of every session and of everything that was begun by mails to the
   * former address, the link that brings it back, and the record. Of several uses, one counts; of two accounts, one gets the
   * address.
   *
   * @param user Where it is used, and the mark of the session if that is one of the account.
   * @returns What was changed; undefined when the link is outdated.
   */
  async confirm(token: string, user: LinkUser): Promise<ConfirmedAddress | undefined> {
    await this.#endExpired(token)
    return this.#database.transaction().execute(async (transaction) => {
      const link = await transaction
        .deleteFrom('address_change')
        .where('digest', '=', linkDigest('address-change', token))
        .where(isLive(this.#clock.timestamp(), ADDRESS_CHANGE_SECONDS))
        .returning(['account_id', 'credential_version', 'email', 'email_key'])
        .executeTakeFirst()
      return link === undefined ? undefined : this.#change(transaction, link, user)
    })
  }

  #endExpired(token: string): Promise<void> {
    const digest = linkDigest('address-change', token)
    return endExpired(this.#database, 'address_change', { digest, now: this.#clock.timestamp() })
  }

  async #change(
    transaction: Kysely<Schema>,
    link: Omit<AddressChangeTable, 'digest' | 'expires_at'>,
    { mark, ...client }: LinkUser,
  ): Promise<ConfirmedAddress | undefined> {
    const { account_id: accountId, credential_version: version, email, email_key } = link
    const former = await transaction
      .selectFrom('account')
      .select(['email', 'email_key', 'language'])
      .where('id', '=', accountId)
      .where('state', '=', 'active')
      .where('credential_version', '=', version)
      .executeTakeFirst()
    if (former === undefined) return undefined
    if ((await holderOf(transaction, email_key)) !== undefined) return { kind: 'taken' }
    // Compared once more: whatever else changed the credentials has ended this link.
    const credentialVersion = await this.#versions.advance(transaction, accountId, {
      credentialVersion: version,
      mark,
    })
    if (credentialVersion === undefined) return undefined
    await transaction.updateTable('account').set({ email, email_key }).where('id', '=', accountId).execute()
    const now = this.#clock.timestamp()
    await keepFormerName(transaction, accountId, { name: former.email, now })
    await this.#pending.end(transaction, accountId, now)
    // Somebody who was about to sign up with it has an account now.
    await transaction.deleteFrom('confirmation').where('email_key', '=', email_key).execute()
    const restore = await createAddressRestore(transaction, { accountId, credentialVersion, ...former }, now)
    await this.#audit.record({ kind: 'address-changed', accountId, ...client }, transaction)
    return { kind: 'changed', accountId, credentialVersion, former, restore }
  }

  async #prepare(
    accountId: string,
    { email, credentialVersion, ...client }: NewAddress,
  ): Promise<AddressRequest> {
    const { token, digest } = createLinkToken('address-change')
    const now = this.#clock.timestamp()
    const row = {
      digest,
      account_id: accountId,
      credential_version: credentialVersion,
      email,
      email_key: emailKey(email),
      expires_at: now + ADDRESS_CHANGE_SECONDS,
    }
    const holder = await this.#database.transaction().execute(async (transaction) => {
      await transaction
        .deleteFrom('address_change')
        .where((where) => where.or([where('expires_at', '<=', now), where('account_id', '=', accountId)]))
        .execute()
      await transaction.insertInto('address_change').values(row).execute()
      const { clientAddress, device } = client
      const entry = { kind: 'address-change-requested' as const, accountId, clientAddress, device }
      await this.#audit.record(entry, transaction)
      return holderOf(transaction, row.email_key)
    })
    if (holder === undefined) return { kind: 'new', token }
    const kind = holder.state === 'active' ? 'known' : 'known-disabled'
    return { kind, language: languageOf(holder.language) }
  }
}

function holderOf(
  database: Kysely<Schema>,
  key: string,
): Promise<{ readonly language: string; readonly state: string } | undefined> {
  return database
    .selectFrom('account')
    .select(['language', 'state'])
    .where('email_key', '=', key)
    .executeTakeFirst()
}

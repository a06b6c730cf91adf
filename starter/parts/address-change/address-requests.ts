import { Clock, inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { Attempts, Limit } from 'sallyport-app/limits'
import { emailKey } from 'sallyport-app/text'
import type { Account } from '../../core/accounts/account.ts'
import type { HeldCredentials } from '../../core/accounts/credential-version.ts'
import { Users } from '../../core/accounts/users.ts'
import { AuditTrail } from '../../core/audit/audit-trail.ts'
import { Database } from '../../core/database/database.ts'
import { SIGN_UP_ADDRESS_LIMIT, SIGN_UP_CLIENT_LIMIT } from '../../core/limits/limits.ts'
import { Mails } from '../../core/mail/mails.ts'
import { ADDRESS_CHANGE_SECONDS, CHANGES } from './address-change.ts'

/** Links to change the address of one account: each sends a mail to somebody. */
export const ADDRESS_CHANGE_LIMIT: Limit = new Limit('address-change', 5, { windowSeconds: 60 * 60 })

/** The new address as it was typed, by an owner who has proven password and factor. */
export interface NewAddress extends Client, Pick<HeldCredentials, 'credentialVersion'> {
  readonly email: string
  /** Language of the mail to it. */
  readonly language: string
}

/** What owners ask for to change their addresses. */
export class AddressRequests {
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)
  readonly #mails = inject(Mails)

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
}

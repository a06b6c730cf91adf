import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { allOrNothing } from 'sallyport-app/database'
import { Attempts } from 'sallyport-app/limits'
import { emailKey } from 'sallyport-app/text'
import { MailedLinks } from 'sallyport-app/mail'
import { addAccount, Users } from '../accounts/users.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import type { ConfirmationTable, Schema } from '../database/schema.ts'
import { SIGN_UP_ADDRESS_LIMIT, SIGN_UP_CLIENT_LIMIT } from '../limits/limits.ts'
import { type MailKind, Mails } from '../mail/mails.ts'
import type { Language } from '../messages/language.ts'

/** How long a confirmation link can be used. */
export const CONFIRMATION_SECONDS: number = 60 * 60

/** The links of sign-ups. */
export const CONFIRMATIONS: MailedLinks<ConfirmationTable> = new MailedLinks(
  'confirmation',
  'confirmation',
  CONFIRMATION_SECONDS,
)

/** Who signs up, after the mail. */
export interface ConfirmedAccount extends Client {
  /** Reference of the new account. Default: a new one. */
  readonly id?: string
  readonly name: string
  /** Hash of the chosen password; null where `also` gives the account what signs it in. */
  readonly passwordHash: string | null
  /** What else happens in the transaction. Where it returns false, nothing happens, and the link is not used up. Default: nothing. */
  readonly also?: (transaction: Transaction<Schema>) => Promise<boolean>
  /** Language of the pages, and of the mails from now on. */
  readonly language: Language
}

/**
 * Signing up: a mail with a link first, and the account only behind that link. So nobody can prepare an account for the address
 * of someone else, and no account ever has an unconfirmed address.
 */
export class SignUp {
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #mails = inject(Mails)
  readonly #clock = inject(Clock)

  /** Mails a link. A known address costs the same work, and gets a mail that says so. `language`: of the mail to a new address. */
  async request(email: string, clientAddress: string, language: string): Promise<void> {
    const limited = [SIGN_UP_ADDRESS_LIMIT.ofAddress(email), ...SIGN_UP_CLIENT_LIMIT.ofClient(clientAddress)]
    await this.#attempts.spend(limited, async () => {
      const known = await this.#users.findByEmail(email)
      const row = { email, email_key: emailKey(email) }
      await this.#database.transaction().execute(async (transaction) => {
        const token = await CONFIRMATIONS.make(transaction, row, this.#clock.timestamp())
        const refused = known?.isActive === false ? 'known-disabled' : 'known'
        const kind: MailKind = known === null ? 'confirm' : refused
        const page = known === null ? `/sign-up/confirm/${token}` : '/login'
        const mail = {
          kind,
          to: { email, language: known?.language ?? language },
          values: { url: this.#mails.linkToPage(page) },
          seconds: CONFIRMATION_SECONDS,
        }
        await this.#mails.send(mail, transaction)
      })
      return true
    })
  }

  /** @returns The address that the link confirms; undefined when it is outdated. */
  async confirmable(token: string): Promise<string | undefined> {
    return (await CONFIRMATIONS.find(this.#database, token, this.#clock.timestamp()))?.email
  }

  /** @returns Reference of the new account; undefined when the link is outdated, or the address has an account by now. */
  confirm(
    token: string,
    { clientAddress, device, also, ...account }: ConfirmedAccount,
  ): Promise<string | undefined> {
    const now = this.#clock.timestamp()
    return allOrNothing(this.#database, async (transaction) => {
      const confirmed = await CONFIRMATIONS.take(transaction, token, now)
      if (confirmed === undefined) return undefined
      const { email, email_key: key } = confirmed
      const accountId = await addAccount(transaction, { email, ...account }, now)
      if (accountId === undefined) return undefined
      // Other links to this address are of no use any more.
      await transaction.deleteFrom('confirmation').where('email_key', '=', key).execute()
      const entry = { kind: AuditEvent.AccountCreated, accountId, clientAddress, device }
      await this.#audit.record(entry, transaction)
      return (await also?.(transaction)) === false ? undefined : accountId
    })
  }
}

import { randomUUID } from 'node:crypto'
import { Clock, inject } from 'sallyport'
import { Database } from '../database/database.ts'
import { endExpired, isLive } from '../database/lifetime.ts'
import type { Language } from '../messages/language.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import { Attempts } from '../limits/attempts.ts'
import { SIGN_UP_ADDRESS_LIMIT, SIGN_UP_CLIENT_LIMIT } from '../limits/limits.ts'
import { createLinkToken, linkDigest } from '../mail/link-tokens.ts'
import { emailKey } from '../text/email-address.ts'
import { Users } from '../accounts/users.ts'

/** How long a confirmation link can be used. */
export const CONFIRMATION_SECONDS: number = 60 * 60

/** What a request to sign up leads to. The page that answers is the same in all cases; the mail is not. */
export type SignUpRequest =
  | { readonly kind: 'new'; readonly token: string }
  | { readonly kind: 'known' | 'known-disabled'; readonly language: Language }

/** Who signs up, after the mail. */
export interface ConfirmedAccount extends Client {
  /** Name of the account's owner. */
  readonly name: string
  /** Hash of the chosen password. */
  readonly passwordHash: string
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
  readonly #clock = inject(Clock)

  /**
   * Prepares a confirmation. A known address costs the same work: it gets a token too, which is given to nobody.
   *
   * @returns Which mail to send.
   * @throws {TooManyRequestsException} If too many mails were asked for, to this address or by this client.
   */
  request(email: string, clientAddress: string): Promise<SignUpRequest> {
    const limited = [SIGN_UP_ADDRESS_LIMIT.ofAddress(email), ...SIGN_UP_CLIENT_LIMIT.ofClient(clientAddress)]
    return this.#attempts.spend(limited, () => this.#prepare(email))
  }

  /** @returns The address that the link confirms; undefined when it is outdated. */
  async confirmable(token: string): Promise<string | undefined> {
    await this.#endExpired(token)
    const row = await this.#database
      .selectFrom('confirmation')
      .select('email')
      .where('digest', '=', linkDigest('confirmation', token))
      .where(isLive(this.#clock.timestamp(), CONFIRMATION_SECONDS))
      .executeTakeFirst()
    return row?.email
  }

  #endExpired(token: string): Promise<void> {
    const digest = linkDigest('confirmation', token)
    return endExpired(this.#database, 'confirmation', { digest, now: this.#clock.timestamp() })
  }

  /**
   * Creates the account. Of several requests with one link, one creates it.
   *
   * @returns Reference of the account; undefined when the link is outdated, or the address has an account by now.
   */
  async confirm(token: string, account: ConfirmedAccount): Promise<string | undefined> {
    const now = this.#clock.timestamp()
    await this.#endExpired(token)
    return this.#database.transaction().execute(async (transaction) => {
      const confirmed = await transaction
        .deleteFrom('confirmation')
        .where('digest', '=', linkDigest('confirmation', token))
        .where(isLive(now, CONFIRMATION_SECONDS))
        .returning(['email', 'email_key'])
        .executeTakeFirst()
      if (confirmed === undefined) return undefined
      const { name, passwordHash, clientAddress, device, language } = account
      const id = randomUUID()
      const added = await transaction
        .insertInto('account')
        .values({
          id,
          ...confirmed,
          name,
          password_hash: passwordHash,
          state: 'active',
          created_at: now,
          credential_version: 1,
          language,
        })
        .onConflict((conflict) => conflict.column('email_key').doNothing())
        .executeTakeFirst()
      if (added.numInsertedOrUpdatedRows !== 1n) return undefined
      // Other links to this address are of no use any more.
      await transaction.deleteFrom('confirmation').where('email_key', '=', confirmed.email_key).execute()
      await this.#audit.record(
        { kind: AuditEvent.AccountCreated, accountId: id, clientAddress, device },
        transaction,
      )
      return id
    })
  }

  async #prepare(email: string): Promise<SignUpRequest> {
    const { token, digest } = createLinkToken('confirmation')
    const now = this.#clock.timestamp()
    const known = await this.#users.findByEmail(email)
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('confirmation').where('expires_at', '<=', now).execute()
      const row = {
        digest,
        email,
        email_key: emailKey(email),
        expires_at: now + CONFIRMATION_SECONDS,
      }
      await transaction.insertInto('confirmation').values(row).execute()
    })
    if (known === null) return { kind: 'new', token }
    return { kind: known.isActive ? 'known' : 'known-disabled', language: known.language }
  }
}

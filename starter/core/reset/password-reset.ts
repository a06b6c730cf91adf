import type { Kysely } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../database/database.ts'
import { endExpired, isLive } from '../database/lifetime.ts'
import type { Schema } from '../database/schema.ts'
import type { Language } from '../messages/language.ts'
import type { Account } from '../accounts/account.ts'
import { CredentialVersions } from '../accounts/credential-version.ts'
import { Users } from '../accounts/users.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import type { Client } from '../clients/client.ts'
import { Attempts } from '../limits/attempts.ts'
import { PASSWORD_LIMIT, RESET_ADDRESS_LIMIT, RESET_CLIENT_LIMIT } from '../limits/limits.ts'
import { createLinkToken, linkDigest } from '../mail/link-tokens.ts'
import { MailPasswords } from '../accounts/mail-password.ts'

/** How long a link for a new password can be used. */
export const RESET_SECONDS: number = 30 * 60

/** What a request for a new password leads to. The page that answers is the same in both cases; the mail is not. */
export type ResetRequest =
  | { readonly kind: 'known'; readonly token: string; readonly email: string; readonly language: Language }
  | { readonly kind: 'disabled'; readonly email: string; readonly language: Language }
  | { readonly kind: 'unknown' }

/** A new password, after it was judged. */
export interface NewPassword extends Client {
  /** Its hash. */
  readonly passwordHash: string
}

/**
 * The forgotten password. A link in a mail sets a new one, and does nothing else: it signs nobody in, and the second factors of
 * the account stay as they are and are asked for at the next login.
 */
export class PasswordReset {
  readonly #database = inject(Database)
  readonly #users = inject(Users)
  readonly #attempts = inject(Attempts)
  readonly #audit = inject(AuditTrail)
  readonly #clock = inject(Clock)
  readonly #versions = inject(CredentialVersions)
  readonly #byMail = inject(MailPasswords)

  /**
   * Prepares a link. An unknown address, and one whose account may not sign in, cost the same work: they get a token too, which
   * is given to nobody.
   *
   * @returns Which mail to send.
   * @throws {TooManyRequestsException} If too many mails were asked for, to this address or by this client.
   */
  request(email: string, client: Client): Promise<ResetRequest> {
    const limited = [
      RESET_ADDRESS_LIMIT.ofAddress(email),
      ...RESET_CLIENT_LIMIT.ofClient(client.clientAddress),
    ]
    return this.#attempts.spend(limited, () => this.#prepare(email, client))
  }

  /** @returns The account whose password the link may set; undefined when it is outdated. */
  async resettable(token: string): Promise<Account | undefined> {
    const digest = linkDigest('password-reset', token)
    await endExpired(this.#database, 'password_reset', { digest, now: this.#clock.timestamp() })
    const row = await this.#database
      .selectFrom('password_reset')
      .select(['account_id', 'credential_version'])
      .where('digest', '=', digest)
      .where(isLive(this.#clock.timestamp(), RESET_SECONDS))
      .executeTakeFirst()
    if (row === undefined || row.account_id === null) return undefined
    const identity = await this.#users.authenticationIdentity(row.account_id)
    return identity?.credentialVersion === row.credential_version ? identity.principal : undefined
  }

  /**
   * Tells the holder of a link, and nobody else, whether a password is the present one. Every other password uses the link up, so
   * a link is good for one guess.
   *
   * @returns The hash of its present password; null without one.
   */
  async presentHash({ id, email }: Account): Promise<string | null> {
    const found = await this.#users.findByEmail(email)
    return found?.id === id ? found.passwordHash : null
  }

  /**
   * Sets the password: in one transaction the end of the link, the new password, the end of every session and pending login, and
   * the record. Of several requests with links of one account, one does it. Failed codes stay counted; failed passwords do not,
   * because they were guesses at a password that is gone.
   *
   * @returns The account; undefined when the link is outdated.
   */
  async reset(token: string, password: NewPassword): Promise<Account | undefined> {
    const account = await this.resettable(token)
    if (account === undefined) return undefined
    const isSet = await this.#database
      .transaction()
      .execute((transaction) => this.#set(transaction, account, { token, ...password }))
    return isSet ? account : undefined
  }

  async #set(
    transaction: Kysely<Schema>,
    { id, email }: Account,
    { token, passwordHash, clientAddress, device }: NewPassword & { readonly token: string },
  ): Promise<boolean> {
    const link = await transaction
      .deleteFrom('password_reset')
      .where('digest', '=', linkDigest('password-reset', token))
      .where('account_id', '=', id)
      .where(isLive(this.#clock.timestamp(), RESET_SECONDS))
      .returning('credential_version')
      .executeTakeFirst()
    if (link === undefined) return false
    // The version decides: it was raised by whatever else changed the credentials since the link was asked for.
    const changed = await transaction
      .updateTable('account')
      .set({ password_hash: passwordHash })
      .where('id', '=', id)
      .where('state', '=', 'active')
      .where('credential_version', '=', link.credential_version)
      .executeTakeFirst()
    if (changed.numUpdatedRows !== 1n) return false
    await this.#versions.raise(transaction, id)
    await this.#byMail.remember(transaction, id)
    // Other links of this account are of no use any more.
    await transaction.deleteFrom('password_reset').where('account_id', '=', id).execute()
    await this.#attempts.forget([PASSWORD_LIMIT.ofAddress(email)], transaction)
    await this.#audit.record(
      { kind: AuditEvent.PasswordReset, accountId: id, clientAddress, device },
      transaction,
    )
    return true
  }

  async #prepare(email: string, client: Client): Promise<ResetRequest> {
    const { token, digest } = createLinkToken('password-reset')
    const now = this.#clock.timestamp()
    const found = await this.#users.findByEmail(email)
    const account = found?.isActive === true ? found : null
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('password_reset').where('expires_at', '<=', now).execute()
      const row = {
        digest,
        account_id: account?.id ?? null,
        credential_version: account?.credentialVersion ?? 0,
        expires_at: now + RESET_SECONDS,
      }
      await transaction.insertInto('password_reset').values(row).execute()
      const entry = { kind: AuditEvent.ResetRequested, accountId: found?.id ?? null, ...client }
      await this.#audit.record(entry, transaction)
    })
    if (found === null) return { kind: 'unknown' }
    const { email: address, language } = found
    return found.isActive
      ? { kind: 'known', token, email: address, language }
      : { kind: 'disabled', email: address, language }
  }
}

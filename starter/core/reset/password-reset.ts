import { Clock, inject } from 'sallyport'
import type { Client } from 'sallyport-app/clients'
import { allOrNothing } from 'sallyport-app/database'
import { Attempts } from 'sallyport-app/limits'
import { MailedLinks } from 'sallyport-app/mail'
import { CredentialVersions } from '../accounts/credential-version.ts'
import { Users } from '../accounts/users.ts'
import { AuditEvent, AuditTrail } from '../audit/audit-trail.ts'
import { Database } from '../database/database.ts'
import type { PasswordResetTable } from '../database/schema.ts'
import { PASSWORD_LIMIT, RESET_ADDRESS_LIMIT, RESET_CLIENT_LIMIT } from '../limits/limits.ts'
import { type MailKind, Mails } from '../mail/mails.ts'
import { Notices } from '../mail/notices.ts'

/** How long a link for a new password can be used. */
export const RESET_SECONDS: number = 30 * 60

/** The links for new passwords. */
export const RESETS: MailedLinks<PasswordResetTable> = new MailedLinks(
  'password_reset',
  'password-reset',
  RESET_SECONDS,
)

/** An account whose password a link may set. */
export interface Resettable {
  readonly id: string
  readonly name: string
  readonly email: string
  /** Hash of its present password; null without one. Only the holder of a link is told which that is, and a link is good for one guess. */
  readonly passwordHash: string | null
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
  readonly #mails = inject(Mails)
  readonly #notices = inject(Notices)

  /**
   * Mails a link. An unknown address, and one whose account may not sign in, cost the same work, and get a mail that says so. `language`: of
   * the mail to an unknown address.
   */
  async request(email: string, client: Client, language: string): Promise<void> {
    const limited = [
      RESET_ADDRESS_LIMIT.ofAddress(email),
      ...RESET_CLIENT_LIMIT.ofClient(client.clientAddress),
    ]
    await this.#attempts.spend(limited, async () => {
      const found = await this.#users.findByEmail(email)
      const account = found?.isActive === true ? found : null
      const row = { account_id: account?.id ?? null, credential_version: account?.credentialVersion ?? 0 }
      await this.#database.transaction().execute(async (transaction) => {
        const entry = { kind: AuditEvent.ResetRequested, accountId: found?.id ?? null, ...client }
        await this.#audit.record(entry, transaction)
        const token = await RESETS.make(transaction, row, this.#clock.timestamp())
        const refused = found === null ? 'reset-unknown' : 'reset-disabled'
        const kind: MailKind = account === null ? refused : 'reset'
        // To the address of the account: what was typed has the same key, and a mail server may take it for another mailbox.
        const mail = {
          kind,
          to: found ?? { email, language },
          values: { url: this.#mails.linkToPage(account === null ? '/forgot' : `/forgot/${token}`) },
          seconds: RESET_SECONDS,
        }
        await this.#mails.send(mail, transaction)
      })
      return true
    })
  }

  /** @returns The account whose password the link may set; undefined when it is outdated. */
  async resettable(token: string): Promise<Resettable | undefined> {
    const link = await RESETS.find(this.#database, token, this.#clock.timestamp())
    if (link === undefined) return undefined
    return this.#database
      .selectFrom('account')
      .select(['id', 'name', 'email', 'password_hash as passwordHash'])
      .where('id', '=', link.account_id)
      .where('state', '=', 'active')
      .where('credential_version', '=', link.credential_version)
      .executeTakeFirst()
  }

  /**
   * Sets the password: in one transaction with the end of the link and of every session, the record and the mail. Failed codes stay counted;
   * failed passwords were guesses at one that is gone. Returns the account; undefined when the link is outdated.
   */
  reset(
    token: string,
    { passwordHash, clientAddress, device }: Client & { readonly passwordHash: string },
  ): Promise<string | undefined> {
    return allOrNothing(this.#database, async (transaction) => {
      const now = this.#clock.timestamp()
      const link = await RESETS.take(transaction, token, now)
      if (link === undefined) return undefined
      // The version decides: it was raised by whatever else changed the credentials since the link was asked for.
      const changed = await transaction
        .updateTable('account')
        .set({ password_hash: passwordHash, mail_password_at: now })
        .where('id', '=', link.account_id)
        .where('state', '=', 'active')
        .where('credential_version', '=', link.credential_version)
        .returning(['id', 'email'])
        .executeTakeFirst()
      if (changed === undefined) return undefined
      const { id: accountId, email } = changed
      await this.#versions.raise(transaction, accountId)
      // Other links of this account are of no use any more.
      await transaction.deleteFrom('password_reset').where('account_id', '=', accountId).execute()
      await this.#attempts.forget([PASSWORD_LIMIT.ofAddress(email)], transaction)
      const entry = { kind: AuditEvent.PasswordReset, accountId, clientAddress, device }
      await this.#audit.record(entry, transaction)
      await this.#notices.tell({ kind: 'password-reset', accountId }, transaction)
      return accountId
    })
  }
}

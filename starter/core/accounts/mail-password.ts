import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { Database } from '../database/database.ts'
import type { Schema } from '../database/schema.ts'

/** For how long a password set by a link in a mail counts as one. */
export const MAIL_PASSWORD_SECONDS: number = 30 * 24 * 60 * 60

/** Passwords that were set by links in mails: password and mailbox are then one proof, not two. */
export class MailPasswords {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  /** @returns Whether its password came by mail lately. Then password and mailbox do not set up a second factor at once. */
  async isOneProof(accountId: string): Promise<boolean> {
    const row = await this.#database
      .selectFrom('mail_password')
      .select('set_at')
      .where('account_id', '=', accountId)
      .where('set_at', '>', this.#clock.timestamp() - MAIL_PASSWORD_SECONDS)
      .executeTakeFirst()
    return row !== undefined
  }

  async remember(transaction: Transaction<Schema>, accountId: string): Promise<void> {
    const now = this.#clock.timestamp()
    await transaction
      .insertInto('mail_password')
      .values({ account_id: accountId, set_at: now })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ set_at: now }))
      .execute()
  }
}

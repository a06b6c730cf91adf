import type { Transaction } from 'kysely'
import { Clock, inject } from 'sallyport'
import { createLinkToken } from 'sallyport-app/mail'
import type { Schema } from '../../core/database/schema.ts'
import type { ObjectionLinks } from '../../core/mail/objection-links.ts'

/** How many days the link "this was not me" of a mail can be used. */
export const OBJECTION_DAYS = 7

/** How many links of an account can be used at once: the newest. Each of them does the same. */
export const MAX_OBJECTIONS = 100

const OBJECTION_SECONDS = OBJECTION_DAYS * 24 * 60 * 60

/** Makes the links "this was not me". */
export class NotMeLinks implements ObjectionLinks {
  readonly #clock = inject(Clock)

  /**
   * Only the digest of the token is stored: who reads the database cannot use the link.
   *
   * @param accountId Account reference. The link belongs to the account and not to the address that the mail goes to.
   * @returns The link.
   */
  async make(
    accountId: string,
    transaction: Transaction<Schema>,
  ): Promise<{ readonly path: string; readonly days: number }> {
    const { token, digest } = createLinkToken('objection')
    const now = this.#clock.timestamp()
    await insert(transaction, { digest, account_id: accountId, expires_at: now + OBJECTION_SECONDS }, now)
    return { path: `/not-me/${token}`, days: OBJECTION_DAYS }
  }
}

async function insert(
  transaction: Transaction<Schema>,
  row: Schema['objection'],
  now: number,
): Promise<void> {
  await transaction.deleteFrom('objection').where('expires_at', '<=', now).execute()
  const kept = transaction
    .selectFrom('objection')
    .select('digest')
    .where('account_id', '=', row.account_id)
    .orderBy('expires_at', 'desc')
    .orderBy('digest')
    .limit(MAX_OBJECTIONS - 1)
  await transaction
    .deleteFrom('objection')
    .where('account_id', '=', row.account_id)
    .where('digest', 'not in', kept)
    .execute()
  await transaction.insertInto('objection').values(row).execute()
}

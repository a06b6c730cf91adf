import { Clock, inject } from 'sallyport'
import { Database } from '../../core/database/database.ts'
import { createLinkToken } from '../../core/mail/link-tokens.ts'
import { type ObjectionLink, ObjectionLinks } from '../../core/mail/objection-links.ts'

/** How many days the link "this was not me" of a mail can be used. */
export const OBJECTION_DAYS = 7

/** How many links of an account can be used at once: the newest. Each of them does the same. */
export const MAX_OBJECTIONS = 100

const OBJECTION_SECONDS = OBJECTION_DAYS * 24 * 60 * 60

/** Makes the links "this was not me". */
export class NotMeLinks extends ObjectionLinks {
  readonly #database = inject(Database)
  readonly #clock = inject(Clock)

  /**
   * Only the digest of the token is stored: who reads the database cannot use the link.
   *
   * @param accountId Account reference. The link belongs to the account and not to the address that the mail goes to.
   * @returns The link.
   */
  override async make(accountId: string): Promise<ObjectionLink> {
    const { token, digest } = createLinkToken('objection')
    const now = this.#clock.timestamp()
    const row = { digest, account_id: accountId, expires_at: now + OBJECTION_SECONDS }
    await this.#database.transaction().execute(async (transaction) => {
      await transaction.deleteFrom('objection').where('expires_at', '<=', now).execute()
      const kept = transaction
        .selectFrom('objection')
        .select('digest')
        .where('account_id', '=', accountId)
        .orderBy('expires_at', 'desc')
        .orderBy('digest')
        .limit(MAX_OBJECTIONS - 1)
      await transaction
        .deleteFrom('objection')
        .where('account_id', '=', accountId)
        .where('digest', 'not in', kept)
        .execute()
      await transaction.insertInto('objection').values(row).execute()
    })
    return { path: `/not-me/${token}`, days: OBJECTION_DAYS }
  }
}

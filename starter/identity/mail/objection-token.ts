import type { Kysely } from 'kysely'
import type { Clock } from 'sallyport'
import type { Schema } from '../../database/schema.ts'
import { createLinkToken } from './link-tokens.ts'

/** How many days the link "this was not me" of a mail can be used. */
export const OBJECTION_DAYS = 7

/** How many links of an account can be used at once: the newest. Each of them does the same. */
export const MAX_OBJECTIONS = 100

const OBJECTION_SECONDS = OBJECTION_DAYS * 24 * 60 * 60

/**
 * Makes the token of a link "this was not me". Only its digest is stored: who reads the database cannot use the link.
 *
 * @param database Database of the accounts.
 * @param accountId Account reference. The link belongs to the account and not to the address that the mail goes to.
 * @param clock Clock of the application.
 * @returns The token.
 */
export async function createObjection(
  database: Kysely<Schema>,
  accountId: string,
  clock: Clock,
): Promise<string> {
  const { token, digest } = createLinkToken('objection')
  const now = clock.timestamp()
  const row = { digest, account_id: accountId, expires_at: now + OBJECTION_SECONDS }
  await database.transaction().execute(async (transaction) => {
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
  return token
}

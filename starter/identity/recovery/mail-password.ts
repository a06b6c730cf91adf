import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/** For how long a password set by a link in a mail counts as one. */
export const MAIL_PASSWORD_SECONDS: number = 30 * 24 * 60 * 60

/**
 * Tells whether the password of an account was set by a link in a mail lately: password and mailbox are then one proof, not two.
 *
 * @param database Database of the accounts.
 * @param accountId Account reference.
 * @param now Unix timestamp in seconds.
 * @returns Whether it was.
 */
export async function hasMailPassword(
  database: Kysely<Schema>,
  accountId: string,
  now: number,
): Promise<boolean> {
  const row = await database
    .selectFrom('mail_password')
    .select('set_at')
    .where('account_id', '=', accountId)
    .where('set_at', '>', now - MAIL_PASSWORD_SECONDS)
    .executeTakeFirst()
  return row !== undefined
}

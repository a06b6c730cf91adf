import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** How long a former name or address of an account is kept: much longer than a request waits for a second person. */
export const FORMER_NAME_SECONDS: number = 30 * 24 * 60 * 60

/** Maximum number of them for an account. */
export const MAX_FORMER_NAMES = 20

/**
 * Keeps a name or an address that an account had until now, so that nobody approves their own request under a former name. The
 * database deletes it with the account. Beyond the maximum no further ones are kept: many changes do not push out the name that others
 * know the owner by.
 */
export async function keepFormerName(
  transaction: Kysely<Schema>,
  accountId: string,
  { name, now }: { readonly name: string; readonly now: number },
): Promise<void> {
  await transaction
    .deleteFrom('former_name')
    .where('account_id', '=', accountId)
    .where('ended_at', '<=', now - FORMER_NAME_SECONDS)
    .execute()
  const others = await transaction
    .selectFrom('former_name')
    .select('name')
    .where('account_id', '=', accountId)
    .where('name', '<>', name)
    .execute()
  if (others.length >= MAX_FORMER_NAMES) return
  await transaction
    .insertInto('former_name')
    .values({ account_id: accountId, name, ended_at: now })
    .onConflict((conflict) => conflict.doUpdateSet({ ended_at: now }))
    .execute()
}

/** @returns The name and the address of an account, and the former ones that are kept; empty when there is no such account. */
export async function namesOfAccount(
  database: Kysely<Schema>,
  accountId: string,
): Promise<readonly string[]> {
  const account = await database
    .selectFrom('account')
    .select(['name', 'email'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  if (account === undefined) return []
  const former = await database
    .selectFrom('former_name')
    .select('name')
    .where('account_id', '=', accountId)
    .execute()
  return [account.name, account.email, ...former.map(({ name }) => name)]
}

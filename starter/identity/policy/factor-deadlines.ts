import type { Kysely } from 'kysely'
import type { Schema } from '../../database/schema.ts'

/** What a deadline is for when no rule sets it: the factors of the account were taken away, and it must not stay without. */
export const AFTER_RESET = 'reset'

/**
 * Fixes the deadline of an account for a rule. An earlier one stays: neither a login, nor a permission that was withdrawn and
 * granted again, nor a reset, nor a clock that was ahead makes it later.
 *
 * @param database The database, or a transaction.
 * @param deadline `accountId`, what it is for in `rule`, and the Unix timestamp `at`.
 * @returns The deadline that holds, as a Unix timestamp.
 */
export async function fixDeadline(
  database: Kysely<Schema>,
  { accountId, rule, at }: { readonly accountId: string; readonly rule: string; readonly at: number },
): Promise<number> {
  await database
    .insertInto('factor_deadline')
    .values({ account_id: accountId, rule, at })
    .onConflict((conflict) =>
      conflict.columns(['account_id', 'rule']).doUpdateSet({ at }).where('factor_deadline.at', '>', at),
    )
    .execute()
  const row = await database
    .selectFrom('factor_deadline')
    .select('at')
    .where('account_id', '=', accountId)
    .where('rule', '=', rule)
    .executeTakeFirst()
  return row?.at ?? at
}

/**
 * Makes an account set up a new factor at its next login, whatever the rules say. To be called in the transaction that takes its
 * factors away, so that it never becomes one that asks for the password only.
 *
 * @param transaction The transaction.
 * @param accountId Account reference.
 * @param now Unix timestamp in seconds.
 */
export async function requireNewFactor(
  transaction: Kysely<Schema>,
  accountId: string,
  now: number,
): Promise<void> {
  await fixDeadline(transaction, { accountId, rule: AFTER_RESET, at: now })
}

/**
 * Ends what {@link requireNewFactor} began. To be called in the transaction that enables a factor.
 *
 * @param transaction The transaction.
 * @param accountId Account reference.
 */
export async function newFactorIsThere(transaction: Kysely<Schema>, accountId: string): Promise<void> {
  await transaction
    .deleteFrom('factor_deadline')
    .where('account_id', '=', accountId)
    .where('rule', '=', AFTER_RESET)
    .execute()
}

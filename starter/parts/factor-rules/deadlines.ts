import type { Kysely } from 'kysely'
import type { Schema } from '../../core/database/schema.ts'

/**
 * Fixes the deadline of an account for a rule. An earlier one stays: neither a login, nor a permission that was withdrawn and
 * granted again, nor a reset, nor a clock that was ahead makes it later.
 *
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

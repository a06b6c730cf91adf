import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { dropRecoveryCodes } from './recovery-code-sets.ts'
import { holdsFactor } from './second-factors.ts'

/** Removes every second factor of an account, of every kind, except one. An account that had one keeps one. */
export async function dropOtherFactors(
  transaction: Kysely<Schema>,
  accountId: string,
  kept: string,
): Promise<void> {
  await transaction.deleteFrom('factor').where('account_id', '=', accountId).where('id', '<>', kept).execute()
}

/**
 * Removes the recovery codes of an account whose last factor has gone. They open a door that is not there, and must not open the
 * one that a later factor brings.
 */
export async function dropCodesWithoutFactor(transaction: Kysely<Schema>, accountId: string): Promise<void> {
  const holder = await transaction
    .selectFrom('account')
    .select('account.id')
    .where('account.id', '=', accountId)
    .where(holdsFactor)
    .executeTakeFirst()
  if (holder === undefined) await dropRecoveryCodes(transaction, accountId)
}

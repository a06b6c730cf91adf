import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** A set of codes: to be shown once, and stored hashed. */
export interface RecoveryCodeSet {
  /** Identifier of the set. It opens nothing: the form that acknowledges the set names it. */
  readonly id: string
  /** Unix timestamp in seconds. */
  readonly madeAt: number
  /** The codes as they are shown. */
  readonly codes: readonly string[]
  /** What is stored of them. */
  readonly rows: readonly { readonly prefix: string; readonly hash: string }[]
}

/** A set whose codes were shown, and which nobody has confirmed to have kept. */
export interface UnconfirmedSet {
  /** Identifier of the set. */
  readonly id: string
}

/** Stores a new set, which nobody has confirmed to have kept yet. The old one stops counting in the same transaction. */
export async function replaceRecoveryCodes(
  database: Kysely<Schema>,
  accountId: string,
  { id, madeAt, rows }: RecoveryCodeSet,
): Promise<void> {
  await dropRecoveryCodes(database, accountId)
  const values = rows.map((row) => ({ ...row, account_id: accountId, used_at: null }))
  await database.insertInto('recovery_code').values(values).execute()
  const row = { account_id: accountId, id, made_at: madeAt, kept_at: null }
  await database.insertInto('recovery_code_set').values(row).execute()
}

/** Removes the recovery codes of an account. */
export async function dropRecoveryCodes(database: Kysely<Schema>, accountId: string): Promise<void> {
  for (const table of ['recovery_code', 'recovery_code_set'] as const)
    await database.deleteFrom(table).where('account_id', '=', accountId).execute()
}

/**
 * Notes that the owner has confirmed to have kept the codes. The row count decides.
 *
 * @param kept Identifier of the set that was shown (default: the present one), and a Unix timestamp in seconds.
 * @returns Whether it is the present set, and was not confirmed before.
 */
export async function keepRecoveryCodes(
  database: Kysely<Schema>,
  accountId: string,
  { set, now }: { readonly set?: string; readonly now: number },
): Promise<boolean> {
  const result = await database
    .updateTable('recovery_code_set')
    .set({ kept_at: now })
    .where('account_id', '=', accountId)
    .where('kept_at', 'is', null)
    .$if(set !== undefined, (query) => query.where('id', '=', set ?? ''))
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** @returns The present set, if nobody has confirmed to have kept it. */
export function unconfirmedSet(
  database: Kysely<Schema>,
  accountId: string,
): Promise<UnconfirmedSet | undefined> {
  return database
    .selectFrom('recovery_code_set')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kept_at', 'is', null)
    .executeTakeFirst()
}

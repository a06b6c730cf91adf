import type { Kysely } from 'kysely'
import type { Schema } from '../../core/database/schema.ts'
import { sameActor } from './actor.ts'
import type { Acting } from './acts.ts'

/** @returns Whether the account did not hold the permission before. */
export async function grantTo(
  { transaction, actor, now }: Acting,
  accountId: string,
  permission: string,
): Promise<boolean> {
  const added = await transaction
    .insertInto('account_permission')
    .values({ account_id: accountId, permission, granted_at: now, granted_by: actor })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

/** Notes who has handed out the set-up link of an account: they could have chosen its password. */
export async function noteWayIn({ transaction, actor }: Acting, accountId: string): Promise<void> {
  await transaction
    .insertInto('account_way_in')
    .values({ account_id: accountId, actor })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Two persons who must agree, as `actorName()` names them, and since when. */
export interface Pair {
  readonly asker: string
  readonly approver: string
  /** Unix timestamp of the request. */
  readonly since: number
}

/** @returns Whether one of them has the permission, or the set-up link, from the other one, or the permission only since the request. */
export async function areDependent(
  database: Kysely<Schema>,
  permission: string,
  { asker, approver, since }: Pair,
): Promise<boolean> {
  for (const [holder, other] of [
    [approver, asker],
    [asker, approver],
  ] as const) {
    const grant = await database
      .selectFrom('account_permission')
      .select(['granted_at', 'granted_by'])
      .where('account_id', '=', holder)
      .where('permission', '=', permission)
      .executeTakeFirst()
    if (grant === undefined) continue
    if (grant.granted_at >= since || sameActor(grant.granted_by, other)) return true
    const ways = await database
      .selectFrom('account_way_in')
      .select('actor')
      .where('account_id', '=', holder)
      .execute()
    if (ways.some(({ actor }) => sameActor(actor, other))) return true
  }
  return false
}

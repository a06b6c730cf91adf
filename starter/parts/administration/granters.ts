import type { Kysely } from 'kysely'
import { z } from 'zod'
import { operatorOf } from '../../core/audit/operator.ts'
import type { Schema } from '../../core/database/schema.ts'
import { type KnownActor, maybeSamePerson } from './actor.ts'
import type { Acting } from './acts.ts'

const actorNames = z.array(z.string())

/**
 * Grants a permission, and keeps where it comes from: for good, whatever becomes of the accounts on the way.
 *
 * @returns Whether the account did not hold it before.
 */
export async function grantTo(acting: Acting, accountId: string, permission: string): Promise<boolean> {
  const { transaction, actor, now } = acting
  const granters = JSON.stringify(await chainOf(transaction, [actor], permission))
  const added = await transaction
    .insertInto('account_permission')
    .values({ account_id: accountId, permission, granted_at: now, granters })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

/** Notes that the actor, and whoever handed out theirs, has handed out the way into an account: what it may do comes from them, too. */
export async function noteWayIn({ transaction, actor }: Acting, accountId: string): Promise<void> {
  const ways = [...(await waysInto(transaction, accountId)), actor, ...(await waysInto(transaction, actor))]
  const row = { actors: JSON.stringify([...new Set(ways)]) }
  await transaction
    .insertInto('account_way_in')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
}

/** Two persons who must agree, as `actorName()` names them, and since when. */
export interface Pair {
  readonly asker: string
  readonly approver: string
  /** Unix timestamp of the request. */
  readonly since: number
}

/** @returns Whether one of them has the permission from the other one, through whomever, or only since the request. */
export async function areDependent(
  database: Kysely<Schema>,
  permission: string,
  { asker, approver, since }: Pair,
): Promise<boolean> {
  for (const [holder, other] of [
    [approver, asker],
    [asker, approver],
  ] as const) {
    const origin = await originOf(database, holder, permission)
    if (origin === undefined) continue
    if (origin.grantedAt >= since) return true
    const known = await knownActor(database, other)
    const handed = await chainOf(database, await waysInto(database, holder), permission)
    for (const granter of [...origin.granters, ...handed])
      if (maybeSamePerson(known, await knownActor(database, granter))) return true
  }
  return false
}

/** @returns What is known of them: of an account the present and the former names and addresses. */
export async function knownActor(database: Kysely<Schema>, actor: string): Promise<KnownActor> {
  if (operatorOf(actor) !== undefined) return { actor }
  const account = await database
    .selectFrom('account')
    .select(['name', 'email'])
    .where('id', '=', actor)
    .executeTakeFirst()
  const former = await database
    .selectFrom('former_name')
    .select('name')
    .where('account_id', '=', actor)
    .execute()
  if (account === undefined) return { actor }
  return { actor, names: [account.name, account.email, ...former.map(({ name }) => name)] }
}

// The actors, those whom they have the permission from, and those who handed out the ways into their accounts.
async function chainOf(
  database: Kysely<Schema>,
  actors: readonly string[],
  permission: string,
): Promise<readonly string[]> {
  const found = [...actors]
  for (const actor of actors) {
    const origin = await originOf(database, actor, permission)
    found.push(...(origin?.granters ?? []), ...(await waysInto(database, actor)))
  }
  return [...new Set(found)]
}

// Nobody for an operator, and for an account that its owner made.
async function waysInto(database: Kysely<Schema>, accountId: string): Promise<readonly string[]> {
  const row = await database
    .selectFrom('account_way_in')
    .select('actors')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row === undefined ? [] : parsed(row.actors)
}

// None for an operator, and for an account that does not hold it.
async function originOf(
  database: Kysely<Schema>,
  actor: string,
  permission: string,
): Promise<{ readonly grantedAt: number; readonly granters: readonly string[] } | undefined> {
  const row = await database
    .selectFrom('account_permission')
    .select(['granted_at', 'granters'])
    .where('account_id', '=', actor)
    .where('permission', '=', permission)
    .executeTakeFirst()
  return row && { grantedAt: row.granted_at, granters: parsed(row.granters) }
}

function parsed(names: string): readonly string[] {
  return actorNames.parse(JSON.parse(names))
}

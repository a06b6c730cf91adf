import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../../core/database/schema.ts'
import type { Acting } from './acts.ts'
import { operatorOf } from '../../core/audit/operator.ts'
import { type KnownActor, maybeSamePerson } from './actor.ts'

interface Origin {
  readonly grantedAt: number
  readonly granters: readonly string[]
}

const actorNames = z.array(z.string())

/**
 * Grants a permission, and keeps where it comes from: for good, whatever becomes of the accounts on the way.
 *
 * @returns Whether the account did not hold it before.
 */
export async function grantTo(acting: Acting, accountId: string, permission: string): Promise<boolean> {
  const added = await acting.database
    .insertInto('account_permission')
    .values({
      account_id: accountId,
      permission,
      granted_at: acting.now,
      granters: JSON.stringify(
        await chainOf(
          acting.database,
          [acting.actor, ...(await waysInto(acting.database, accountId))],
          permission,
        ),
      ),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

/**
 * Notes that the actor has handed out the way into an account: what it may do comes from them, too, now and later, and from
 * whoever handed out theirs.
 */
export async function noteWayIn(acting: Acting, accountId: string): Promise<void> {
  const { database, actor, now } = acting
  const known = await waysInto(database, accountId)
  const ways = [...new Set([...known, actor, ...(await waysInto(database, actor))])]
  const row = { actors: JSON.stringify(ways) }
  await database
    .insertInto('account_way_in')
    .values({ account_id: accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute()
  const held = await database
    .selectFrom('account_permission')
    .select(['permission', 'granters'])
    .where('account_id', '=', accountId)
    .execute()
  for (const { permission, granters } of held) {
    const all = new Set([...parsed(granters), ...(await chainOf(database, ways, permission))])
    await database
      .updateTable('account_permission')
      .set({ granted_at: now, granters: JSON.stringify([...all]) })
      .where('account_id', '=', accountId)
      .where('permission', '=', permission)
      .execute()
  }
}

/** Two persons who must agree, and since when. */
export interface Pair {
  /** Who asked, as `actorName()` names them. */
  readonly asker: string
  /** Who is to agree, likewise. */
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
    for (const granter of origin.granters)
      if (maybeSamePerson(known, await knownActor(database, granter))) return true
  }
  return false
}

/** @returns What is known of them. */
export async function knownActor(database: Kysely<Schema>, actor: string): Promise<KnownActor> {
  return operatorOf(actor) === undefined ? { actor, names: await namesOfAccount(database, actor) } : { actor }
}

async function namesOfAccount(database: Kysely<Schema>, accountId: string): Promise<readonly string[]> {
  const account = await database
    .selectFrom('account')
    .select(['name', 'email'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  const former = await database
    .selectFrom('former_name')
    .select('name')
    .where('account_id', '=', accountId)
    .execute()
  return account === undefined ? [] : [account.name, account.email, ...former.map(({ name }) => name)]
}

// The actors, and those whom they have the permission from.
async function chainOf(
  database: Kysely<Schema>,
  actors: readonly string[],
  permission: string,
): Promise<readonly string[]> {
  const origins = await Promise.all(actors.map((actor) => originOf(database, actor, permission)))
  return [...new Set([...actors, ...origins.flatMap((origin) => origin?.granters ?? [])])]
}

// Who handed out the way into an account, directly or through others; nobody for an operator.
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
): Promise<Origin | undefined> {
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

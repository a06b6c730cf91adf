import { type Expression, type ExpressionBuilder, type Kysely, sql, type SqlBool } from 'kysely'
import { endFound } from 'sallyport-app/database'
import { createLinkToken, linkDigest } from 'sallyport-app/mail'
import type { Schema } from '../../core/database/schema.ts'

/** A recovery that has not ended. */
export interface OpenRecovery {
  readonly id: string
  readonly account_id: string
  /** Null until it was confirmed. */
  readonly ready_at: number | null
}

/** @returns Its recovery that has not ended. */
export function openOf(database: Kysely<Schema>, accountId: string): Promise<OpenRecovery | undefined> {
  return database
    .selectFrom('factor_recovery')
    .select(['id', 'account_id', 'ready_at'])
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
}

/**
 * Stops it: none can be asked for during the pause that follows.
 *
 * @returns Whether this call stopped one.
 */
export async function stopOpen(database: Kysely<Schema>, accountId: string, now: number): Promise<boolean> {
  const stopped = await database
    .updateTable('factor_recovery')
    .set({ ended_at: now, outcome: 'cancelled' })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return stopped.numUpdatedRows === 1n
}

/**
 * Ends what has run out or belongs to earlier credentials. A waiting time that is longer than any, because the clock was set back
 * since, begins anew, and so does the pause after a stop that is dated in the future.
 */
export async function endOutdated(
  database: Kysely<Schema>,
  accountId: string,
  { now, longest, open }: { readonly now: number; readonly longest: number; readonly open: number },
): Promise<void> {
  await database
    .updateTable('factor_recovery')
    .set({ ended_at: now, outcome: 'outdated' })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where((where) => where.or([where('expires_at', '<=', now), where.not(hasPresentVersion(where))]))
    .execute()
  await database
    .updateTable('factor_recovery')
    .set({ ready_at: now + longest, expires_at: now + longest + open })
    .where('account_id', '=', accountId)
    .where('ended_at', 'is', null)
    .where('ready_at', '>', now + longest)
    .execute()
  // Corrected and stored: without it, the pause would end only when the clock has caught up, however far it was ahead.
  await database
    .updateTable('factor_recovery')
    .set({ ended_at: now })
    .where('account_id', '=', accountId)
    .where('outcome', '=', 'cancelled')
    .where('ended_at', '>', now)
    .execute()
}

/** Ends the recovery of a link whose time is over, so that a clock that is set back opens it no more. */
export function endExpired(database: Kysely<Schema>, token: string, now: number): Promise<void> {
  const digest = linkDigest('factor-recovery', token)
  const isExpired = sql<boolean>`(
    id = (SELECT recovery_id FROM recovery_link WHERE digest = ${digest}) AND ended_at IS NULL AND expires_at <= ${now}
  )`
  return endFound(
    database.selectFrom('factor_recovery').select('id').where(isExpired),
    database.updateTable('factor_recovery').set({ ended_at: now, outcome: 'outdated' }).where(isExpired),
  )
}

/** @returns When one of the account was last stopped; null for never. */
export async function lastStop(database: Kysely<Schema>, accountId: string): Promise<number | null> {
  const { ended } = await database
    .selectFrom('factor_recovery')
    .select((select) => select.fn.max('ended_at').as('ended'))
    .where('account_id', '=', accountId)
    .where('outcome', '=', 'cancelled')
    .executeTakeFirstOrThrow()
  return ended
}

/** @returns Whether its account may sign in and has the credentials of the request still. */
export function hasPresentVersion(where: ExpressionBuilder<Schema, 'factor_recovery'>): Expression<SqlBool> {
  const present = where
    .selectFrom('account')
    .select('account.id')
    .whereRef('account.id', '=', 'factor_recovery.account_id')
    .whereRef('account.credential_version', '=', 'factor_recovery.credential_version')
    .where('account.state', '=', 'active')
  return where.exists(present)
}

/** @returns Token of a new link. Only its digest is stored. */
export async function createLink(
  database: Kysely<Schema>,
  id: string,
  purpose: 'confirm' | 'cancel',
): Promise<string> {
  const { token, digest } = createLinkToken('factor-recovery')
  await database.insertInto('recovery_link').values({ digest, recovery_id: id, purpose }).execute()
  return token
}

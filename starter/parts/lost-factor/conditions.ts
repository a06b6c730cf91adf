import type { Kysely } from 'kysely'
import type { AccountCondition } from '../../core/part.ts'
import type { Schema } from '../../core/database/schema.ts'
import { hasPresentVersion } from './recovery-rows.ts'

/** @returns Their recoveries that are under way. */
export async function conditionsOf(
  database: Kysely<Schema>,
  accountIds: readonly string[],
  now: number,
): Promise<readonly AccountCondition[]> {
  const rows = await database
    .selectFrom('factor_recovery')
    .select(['account_id', 'ready_at', 'expires_at'])
    .where('account_id', 'in', [...accountIds])
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where(hasPresentVersion)
    .execute()
  return rows.map(({ account_id: accountId, ready_at: readyAt, expires_at: expiresAt }) => {
    const of = { accountId, mark: 'recovery' }
    if (readyAt === null) return { ...of, kind: 'recovery-asked', until: expiresAt }
    if (readyAt > now) return { ...of, kind: 'recovery-waiting', until: readyAt }
    return { ...of, kind: 'recovery-ready', until: expiresAt }
  })
}

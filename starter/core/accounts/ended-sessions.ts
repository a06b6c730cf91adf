import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** No request is under way as long as this. */
const ENDED_SECONDS = 60 * 60

/** What is known of a session by its account. */
export interface NamedSession {
  /**
   * Its handle in the list of sessions; null when the list does not have it, because it has ended. Default: it is not asked, where there
   * is no session yet.
   */
  readonly handle?: string | null | undefined
}

/**
 * Says whether no other session has ended this one. As a condition of the statement that makes a change, it leaves no moment between the
 * question and the change.
 *
 * @returns A condition for any statement.
 */
export function stillStands({ handle }: NamedSession): RawBuilder<boolean> {
  if (handle === undefined) return sql<boolean>`(1 = 1)`
  if (handle === null) return sql<boolean>`(1 = 0)`
  return sql<boolean>`(NOT EXISTS (SELECT 1 FROM ended_session WHERE handle = ${handle}))`
}

/** Notes that sessions have ended, before the store of sessions is told: what is under way in them changes no credentials any more. */
export async function noteEnded(
  database: Kysely<Schema>,
  accountId: string,
  { handles, now }: { readonly handles: readonly string[]; readonly now: number },
): Promise<void> {
  await database
    .deleteFrom('ended_session')
    .where('ended_at', '<=', now - ENDED_SECONDS)
    .execute()
  for (const handle of handles)
    await database
      .insertInto('ended_session')
      .values({ handle, account_id: accountId, ended_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

/** Takes it back: the store of sessions could not end them. */
export async function forgetEnded(database: Kysely<Schema>, handles: readonly string[]): Promise<void> {
  for (const handle of handles)
    await database.deleteFrom('ended_session').where('handle', '=', handle).execute()
}

import type { Connection, Statement } from '../database/index.ts'
import { narrowed } from '../database/internal.ts'

/** No request is under way as long as this. */
const ENDED_SECONDS = 60 * 60

/** One row for each session that another one has ended lately. */
export interface EndedSessionTable {
  /** Its handle in the list of sessions. Nobody can sign in with it. */
  handle: string
  /** Whose session it was. */
  account_id: string
  /** When it was ended, as a Unix timestamp in seconds. */
  ended_at: number
}

/** What the schema of an application has for sessions that others have ended. */
export interface EndedSessionTables {
  /** Them. */
  ended_session: EndedSessionTable
}

/**
 * Says what makes the table of ended sessions: a migration of the application has these statements, behind the table of accounts. They are
 * never edited.
 *
 * @param accounts Name of the table of accounts, whose key is `id`: the sessions of an account go with it.
 * @returns The statements.
 */
export function endedSessionTables(accounts: string): readonly Statement[] {
  return [
    `CREATE TABLE ended_session (
    handle TEXT NOT NULL PRIMARY KEY,
    account_id TEXT NOT NULL REFERENCES ${accounts} (id) ON DELETE CASCADE,
    ended_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
    'CREATE INDEX ended_session_account ON ended_session (account_id)',
    'CREATE INDEX ended_session_age ON ended_session (ended_at)',
  ]
}

/**
 * Says whether a session still stands.
 *
 * @param database The transaction of what it is to do.
 * @param handle Its handle; null is that of one that has ended.
 * @returns Whether no other session has ended it.
 */
export async function hasNotEnded<Tables extends EndedSessionTables>(
  database: Connection<Tables>,
  handle: string | null,
): Promise<boolean> {
  if (handle === null) return false
  const ended = await narrowed<EndedSessionTables, Tables>(database)
    .selectFrom('ended_session')
    .select('handle')
    .where('handle', '=', handle)
    .executeTakeFirst()
  return ended === undefined
}

/**
 * Notes that sessions have ended, before the store of sessions is told: what is under way in them changes no credentials any more.
 *
 * @param database The transaction that ends them.
 * @param accountId Whose sessions they are.
 * @param ended Which, and the Unix timestamp.
 */
export async function noteEnded<Tables extends EndedSessionTables>(
  database: Connection<Tables>,
  accountId: string,
  { handles, now }: { readonly handles: readonly string[]; readonly now: number },
): Promise<void> {
  const own = narrowed<EndedSessionTables, Tables>(database)
  await own
    .deleteFrom('ended_session')
    .where('ended_at', '<=', now - ENDED_SECONDS)
    .execute()
  for (const handle of handles)
    await own
      .insertInto('ended_session')
      .values({ handle, account_id: accountId, ended_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

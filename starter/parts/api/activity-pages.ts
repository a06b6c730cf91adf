import { sql } from 'kysely'
import { inject } from 'sallyport'
import { Database } from '../../core/database/database.ts'

/** Largest number of entries of one page. */
export const MAX_ACTIVITY = 100

// Identifiers of entries begin at 1 and only grow.
const NEWEST = Number.MAX_SAFE_INTEGER

/** An entry of the activity of an account. */
export interface ActivityEntry {
  /** Grows with time; names the place where the next page begins. */
  readonly id: number
  /** Unix timestamp in seconds. */
  readonly at: number
  readonly kind: string
  /** Address of the client; empty when it is not known, and of what the administration did. */
  readonly clientAddress: string
}

// Where administrators sit is no business of the owner.
const OWN_ADDRESS = sql<string>`CASE WHEN actor IS NULL THEN client_address ELSE '' END`

/** The audit trail of one account, page by page: an entry that is added meanwhile moves no other one. */
export class ActivityPages {
  readonly #database = inject(Database)

  /**
   * @param place `limit`: how many entries, at most one more than `MAX_ACTIVITY`. `before`: the identifier that they come before. Default: the
   *   newest ones.
   * @returns The entries, newest first.
   */
  read(
    accountId: string,
    { limit, before = NEWEST }: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<readonly ActivityEntry[]> {
    return this.#database
      .selectFrom('event')
      .select(['id', 'at', 'kind', OWN_ADDRESS.as('clientAddress')])
      .where('account_id', '=', accountId)
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(Math.min(limit, MAX_ACTIVITY + 1))
      .execute()
  }
}

import { inject } from 'sallyport'
import { asStories } from 'sallyport-app/audit'
import { SIGN_IN } from '../../core/audit/audit-trail.ts'
import { Database } from '../../core/database/database.ts'

/** How many entries one page of the activity has. */
export const ACTIVITY_LINES = 50
const BATCH = 500

/** An entry of the trail, for the owner of the account: what an administrator wrote about it is none of it. */
export interface OwnRecord {
  /** Its number, from the newest down. */
  readonly id: number
  /** Unix timestamp in seconds. */
  readonly at: number
  readonly kind: string
  /** Identifier of the pending login; null for none. */
  readonly challengeId: string | null
  /** Address of the client; empty when it is not known, and of what the administration did. */
  readonly clientAddress: string
  /** Browser and system, as `deviceOf()` names them; empty when they are not known, and of what the administration did. */
  readonly device: string
  /** What it was done with; null for nothing. */
  readonly detail: string | null
  /** Whether the administration did it, and not the owner. */
  readonly byAdministration: boolean
}

/** A page of entries, newest first. */
export interface OwnPage {
  /** The entries. */
  readonly records: readonly OwnRecord[]
  /** Where the next page begins; undefined after the last one. */
  readonly before: number | undefined
}

/** The audit trail of one account, for its owner. It is read only: the database itself refuses to change an entry. */
export class OwnTrail {
  readonly #database = inject(Database)

  /**
   * @param before Entries before this number. Default: the newest.
   * @returns One page. It costs the same wherever it begins.
   */
  async page(accountId: string, before?: number): Promise<OwnPage> {
    const records = await this.#read(accountId, before, ACTIVITY_LINES + 1)
    const shown = records.slice(0, ACTIVITY_LINES)
    return {
      records: asStories(shown, SIGN_IN),
      before: records.length > shown.length ? shown.at(-1)?.id : undefined,
    }
  }

  /** @returns All entries, newest first, read in batches. */
  async *all(accountId: string): AsyncGenerator<readonly OwnRecord[]> {
    for (let before: number | undefined; ;) {
      const records = await this.#read(accountId, before, BATCH)
      if (records.length > 0) yield records
      before = records.at(-1)?.id
      if (records.length < BATCH) return
    }
  }

  async #read(accountId: string, before: number | undefined, limit: number): Promise<readonly OwnRecord[]> {
    const rows = await this.#database
      .selectFrom('event')
      .select(['id', 'at', 'kind', 'client_address', 'device', 'detail', 'actor', 'challenge_id'])
      .where('account_id', '=', accountId)
      .$if(before !== undefined, (query) => query.where('id', '<', before ?? 0))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute()
    return rows.map(({ client_address: clientAddress, challenge_id: challengeId, device, actor, ...row }) =>
      // Where administrators sit, and with what, is no business of the owner.
      actor === null
        ? { ...row, challengeId, clientAddress, device, byAdministration: false }
        : { ...row, challengeId, clientAddress: '', device: '', byAdministration: true },
    )
  }
}

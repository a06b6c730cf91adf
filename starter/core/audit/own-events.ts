import { inject } from 'sallyport'
import { Database } from '../database/database.ts'

/** An entry of the trail, for the owner of the account: what an administrator wrote about it is none of it. */
export interface OwnEvent {
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

/** The audit trail of one account, for its owner. It is read only: the database itself refuses to change an entry. */
export class OwnEvents {
  readonly #database = inject(Database)

  /**
   * @param place `before`: entries before this number; by default the newest.
   * @returns The entries, newest first. It costs the same wherever they begin, and one that is added meanwhile moves no other one.
   */
  async read(
    accountId: string,
    { limit, before }: { readonly limit: number; readonly before?: number | undefined },
  ): Promise<readonly OwnEvent[]> {
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

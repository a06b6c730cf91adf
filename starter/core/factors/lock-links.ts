import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import type { Client } from '../clients/client.ts'
import type { NoticeLink } from '../mail/notice-link.ts'

/** A lock that has begun. */
export interface BegunLock {
  /** Account reference. */
  readonly accountId: string
  /** The factor: its identifier, or the kind where it has none. */
  readonly factor: string
  /** Unix timestamp in seconds. */
  readonly now: number
}

/** What leads the owner of a locked factor on: nothing, unless a part extends it. */
export class LockLinks {
  /** @returns The link of the mail about it; undefined for none. */
  begin(_transaction: Kysely<Schema>, _lock: BegunLock): Promise<NoticeLink | undefined> {
    return Promise.resolve(undefined)
  }

  /** Told that the tries of an unlocked browser are spent. */
  spent(_unlock: string, _client: Client): Promise<void> {
    return Promise.resolve()
  }
}

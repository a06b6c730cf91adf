import type { Transaction } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** A link in a notice. It is left out where there is no origin to begin it with. */
export interface NoticeLink {
  /** Message before it, without `notice.`. */
  readonly id: string
  /** Its path, without the base path. */
  readonly path: string
}

/**
 * Makes the link of a notice with which its owner says "this was not me": a service of a part, which has the messages `notice.object`,
 * `notice.object-by-administrator` and `notice.object.once`.
 */
export interface ObjectionLinks {
  /** @returns Its path, without the base path, and for how many days it can be used. */
  make(
    accountId: string,
    transaction: Transaction<Schema>,
  ): Promise<{ readonly path: string; readonly days: number }>
}

import type { Transaction } from 'kysely'
import type { Schema } from '../database/schema.ts'

/** A link in a notice. It is left out where there is no origin to begin it with. */
export interface NoticeLink {
  /** Message before it, without `notice.`. */
  readonly id: string
  /** Its path, without the base path. */
  readonly path: string
}

/** The link with which an owner says that it was not them. */
export interface ObjectionLink {
  /** Its path, without the base path. */
  readonly path: string
  /** For how many days it can be used. */
  readonly days: number
}

/**
 * Makes the link "this was not me" of a notice: none, unless a part extends it. Such a part has the messages `notice.object`,
 * `notice.object-by-administrator` and `notice.object.once`.
 */
export class ObjectionLinks {
  /** @returns The link; undefined for none. */
  make(_accountId: string, _transaction: Transaction<Schema>): Promise<ObjectionLink | undefined> {
    return Promise.resolve(undefined)
  }
}

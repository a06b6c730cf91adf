import type { Transaction } from 'kysely'
import type { Session } from 'sallyport/session'
import type { Client } from 'sallyport-app/clients'
import type { LimitedSubject } from 'sallyport-app/limits'
import type { Schema } from '../database/schema.ts'
import type { FactorKind } from './factor-kinds.ts'
import type { NoticeLink } from '../mail/objection-links.ts'

/** A lock that has just begun. */
export interface BegunLock {
  readonly accountId: string
  /** The factor that was tried last. */
  readonly factor: { readonly kind: FactorKind; readonly id?: string; readonly label?: string }
  readonly seconds: number
  readonly client: Client
  readonly challengeId: string
}

/** What leads the owner of a locked factor on: a service of a part. By default the lock ends with its time. */
export interface LockLinks {
  /** @returns The link of the mail about it; undefined for none. */
  begin(transaction: Transaction<Schema>, lock: BegunLock): Promise<NoticeLink | undefined>
  /** @returns What counts the tries of this browser, in which the locks of the account do not hold; undefined when they do. */
  unlockOf(session: Session, accountId: string): Promise<LimitedSubject | undefined>
}

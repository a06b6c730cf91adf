import type { Transaction } from 'kysely'
import type { Client } from 'sallyport-app/clients'
import type { Schema } from '../database/schema.ts'
import type { Account } from '../accounts/account.ts'

/** Who sets up the new factor, and what it is called. */
export interface NewFactorClient extends Client {
  readonly label: string
}

/** Allows an account to set up a new factor in the place of all that it has, without a proof of any of them: a service. */
export interface FactorReplacement {
  /** @returns Whether it is allowed at present. */
  isAllowed(accountId: string): Promise<boolean>
  /** Uses it up, removes the factors that count and tells the owner, in the transaction that enables the new one. Returns whether this call did. */
  useUp(transaction: Transaction<Schema>, accountId: string, by: NewFactorClient): Promise<boolean>
  /** Sends the link that must be opened before the set-up. */
  sendLink(account: Account, url: string): Promise<void>
}

import type { Kysely } from 'kysely'
import type { Schema } from './database/schema.ts'
import type { Account } from './accounts/account.ts'
import type { Client } from './clients/client.ts'

/**
 * Allows an account to set up a new factor in the place of all that it has, without a proof of any of them. The enrollment asks for each
 * step, and removes the earlier factors only in the transaction that enables the new one. By default nothing is allowed.
 */
export class FactorReplacement {
  /** @returns Whether it is allowed at present. */
  async isAllowed(_accountId: string): Promise<boolean> {
    return false
  }

  /**
   * Uses it up, in the transaction that enables the new factor.
   *
   * @returns Whether this call did; if not, nothing is replaced.
   */
  async useUp(_transaction: Kysely<Schema>, _accountId: string, _client: Client): Promise<boolean> {
    return false
  }

  /** Sends the link that must be opened before the set-up. */
  async sendLink(_account: Account, _url: string): Promise<void> {}

  /** Tells the owner that it was done. */
  async tell(_accountId: string, _label: string): Promise<void> {}
}

/** Leads on somebody who has no factor at hand, after the password. */
export interface LostFactors {
  /** Route of the page. An account that must set up its first factor comes here, too, if its password came by mail. */
  readonly route: string
  /** Message for somebody whose authenticators have gone, and whose sign-in goes on here. */
  readonly instead: string
  /** What allows the replacement. */
  readonly replacement: new () => FactorReplacement
}

/** The same where nobody leads on: the sign-in ends. */
export const NO_WAY_ON: LostFactors = {
  route: 'account:login',
  instead: 'sign-in.no-factor',
  replacement: FactorReplacement,
}

import type { Account } from '../../core/accounts/account.ts'

/** The token that a request came with. */
export interface PresentedToken {
  readonly id: string
  /** Name given by its owner. */
  readonly name: string
  /** Unix timestamp at which it ends. */
  readonly expiresAt: number
}

/** The principal of a request with a token: a program that acts for an account. It is no `Account`, and opens no page. */
export class ApiClient {
  /** The account that it acts for. */
  readonly account: Account
  /** The token. */
  readonly token: PresentedToken
  /** What it may do now. */
  readonly scopes: readonly string[]

  constructor(account: Account, token: PresentedToken, scopes: readonly string[]) {
    this.account = account
    this.token = token
    this.scopes = scopes
  }
}

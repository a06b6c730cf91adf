import type { StartupError } from './startup-error.ts'

/** Where a database is. */
export interface Place {
  /** What messages call it. It holds no password. */
  readonly name: string
  /** @returns Why it cannot be used, in one line for the operator. */
  readonly cannotUse: (cause: unknown) => StartupError
}

/** Where the application keeps its data. */
export interface Places {
  /** Accounts, factors, limits and the audit trail. */
  readonly accounts: Place
  readonly sessions: Place
}

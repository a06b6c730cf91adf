import type { StartupError } from '../settings/index.ts'

/** Where a database is. */
export interface Place {
  /** What messages call it. It holds no password. */
  readonly name: string
  /**
   * Says why it cannot be used.
   *
   * @param cause The error.
   * @returns The same, in one line for the operator.
   */
  readonly cannotUse: (cause: unknown) => StartupError
}

/** Where the application keeps its data. */
export interface Places {
  /** The database of the application. */
  readonly accounts: Place
  /** The store of the sessions. */
  readonly sessions: Place
}
